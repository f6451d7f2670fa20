"""The cache folder of downloaded vectors and encoders, and errors when writing to it."""

import errno
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from trustag.errors import InputError

CACHE_VARIABLE: Final = "TRUSTAG_CACHE"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_REFUSED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST})


def cache_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the cache folder: ``TRUSTAG_CACHE``, or the usual one of the platform.

    >>> cache_folder({"TRUSTAG_CACHE": "somewhere"}).name
    'somewhere'
    """
    if environment.get(CACHE_VARIABLE):
        return Path(environment[CACHE_VARIABLE])
    if platform == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / "trustag" / "Cache"
    if platform == "darwin":
        return _home() / "Library" / "Caches" / "trustag"
    named = Path(environment.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else _home() / ".cache") / "trustag"


def vectors_folder() -> Path:
    """Return the folder of downloaded vectors, which need not exist yet."""
    return cache_folder(os.environ) / "vectors"


def encoders_folder() -> Path:
    """Return the folder of downloaded encoders, which need not exist yet."""
    return cache_folder(os.environ) / "encoders"


def existing_vectors_folder() -> Path:
    """Return the folder of downloaded vectors; it is created if necessary."""
    folder = vectors_folder()
    with disk_errors_on_one_line(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def check_name(name: str) -> str:
    """Return ``name`` if it is a valid name for stored vectors."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is not a valid name for vectors",
            remedy="use lower-case letters, digits, dots, hyphens and underscores",
        )
    return name


@contextmanager
def disk_errors_on_one_line(folder: Path) -> Iterator[None]:
    """Turn a full disk or missing permissions into a one-line error."""
    elsewhere = f"or set {CACHE_VARIABLE} to another folder"
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise InputError("no space is left", where=folder, remedy=f"free some space, {elsewhere}") from None
        if error.errno in _REFUSED:
            raise InputError(
                f"cannot be written ({error.strerror})", where=folder, remedy=f"change its permissions, {elsewhere}"
            ) from None
        raise


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise InputError("there is no home folder", remedy=f"set {CACHE_VARIABLE} to a folder") from None
