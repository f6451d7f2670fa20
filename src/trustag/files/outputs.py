"""Write results so that nobody ever sees half of one: to a temporary name first, then renamed.

Nothing is overwritten unasked.
"""

import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from trustag.errors import InputError
from trustag.files.inputs import STANDARD_STREAM


@contextmanager
def new_file(path: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Open ``path`` for writing; it appears under its name only when the block ends well (``-`` is standard output).

    Names that end in ``.gz`` are packed, with the same bytes for the same content.
    """
    if path == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    _refuse_existing(path, overwrite)
    if path.is_dir():
        raise InputError("is a folder, not a file", where=path, remedy="name a file to write")
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=_parent(path))
    try:
        with os.fdopen(handle, "wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                    yield cast("BinaryIO", packed)
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        _refuse_existing(path, overwrite)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def new_folder(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Yield an empty temporary folder that takes the name ``path`` when the block ends well."""
    _refuse_existing(path, overwrite)
    temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=_parent(path)))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        _refuse_existing(path, overwrite)
        if path.exists():
            _replace_folder(path, temporary)
        else:
            temporary.rename(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _replace_folder(path: Path, temporary: Path) -> None:
    if not path.is_dir():
        path.unlink()
        temporary.rename(path)
        return
    aside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".old", dir=path.parent))
    path.rename(aside / path.name)
    temporary.rename(path)
    shutil.rmtree(aside)


def _refuse_existing(path: Path, overwrite: bool) -> None:
    if not overwrite and path.exists() and not _is_empty_folder(path):
        raise InputError("exists already", where=path, remedy="choose another name or pass --overwrite")


def _is_empty_folder(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _parent(path: Path) -> Path:
    parent = path.parent
    if not parent.is_dir():
        raise InputError("the folder to write into does not exist", where=parent, remedy="create it first")
    return parent


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
