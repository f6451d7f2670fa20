"""Write results so that nobody ever sees half of one: to a temporary name first, then renamed.

Nothing is overwritten unasked. A disk that is full is an error that names what was to be written.
"""

import errno
import glob
import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, cast

from trustag.errors import DiskFullError, InputError
from trustag.files.inputs import STANDARD_STREAM

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def new_file(path: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Open ``path`` for writing; it appears under its name only when the block ends well (``-`` is standard output).

    Names that end in ``.gz`` are packed, with the same bytes for the same content. Devices and pipes are written to
    as they are; a symbolic link stays one, and the file it points to is written.
    """
    if path == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with _named_errors(path):
        is_device = path.exists() and not path.is_file() and not path.is_dir()
    if is_device:
        with room_for(path), path.open("wb") as device:
            yield device
        return
    with _named_errors(path):
        _refuse_existing(path, overwrite)
        if path.is_dir():
            raise InputError("is a folder, not a file", where=path, remedy="name a file to write")
        target = path.resolve() if path.is_symlink() else path
        handle, temporary = tempfile.mkstemp(prefix=_hidden(target), suffix=".part", dir=_parent(target))
    try:
        with room_for(path), os.fdopen(handle, "wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                    yield cast("BinaryIO", packed)
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        _refuse_existing(path, overwrite)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def new_folder(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Yield an empty temporary folder that takes the name ``path`` when the block ends well.

    A folder that is overwritten goes with all its content, so the one we work in and those above it are refused.
    """
    with _named_errors(path):
        _refuse_existing(path, overwrite)
        if any(inner.is_relative_to(path.resolve()) for inner in (Path.cwd(), Path.home())):
            raise InputError("will not be replaced by a result", where=path, remedy="name a folder of its own")
        temporary = Path(tempfile.mkdtemp(prefix=_hidden(path), suffix=".part", dir=_parent(path)))
    try:
        with room_for(path):
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
    aside = Path(tempfile.mkdtemp(prefix=_hidden(path), suffix=".old", dir=path.parent))
    old = aside / path.name
    try:
        path.rename(old)
        temporary.rename(path)
    except BaseException:
        if old.exists():
            old.rename(path)
        aside.rmdir()
        raise
    shutil.rmtree(aside)


def link_or_copy(source: str | Path, target: str | Path) -> None:
    """Give a file that nobody changes in place a second name, or where that cannot be, a copy of that name."""
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


@contextmanager
def room_for(path: Path) -> Iterator[None]:
    """Turn a full disk, met while ``path`` or a part of it is written, into an error that names ``path``."""
    try:
        yield
    except DiskFullError as error:
        raise DiskFullError(error.finding, where=path, remedy=error.remedy) from None
    except OSError as error:
        if error.errno not in _FULL:
            raise
        finding = f"no space is left to write it ({error.strerror})"
        raise DiskFullError(finding, where=path, remedy="make room, or choose another place") from None


def remove_drafts(path: Path) -> None:
    """Remove what killed processes left beside ``path`` while they were writing or replacing it."""
    for ending in (".part", ".old"):
        for draft in path.parent.glob(glob.escape(_hidden(path)) + "*" + ending):
            if draft.is_dir():
                shutil.rmtree(draft)
            else:
                draft.unlink()


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    try:
        with room_for(path):
            yield
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=path, remedy="choose another place") from None


def _hidden(path: Path) -> str:
    """Return how a temporary name for ``path`` begins: short enough to leave room for the rest."""
    return f".{path.name[:40]}."


def _refuse_existing(path: Path, overwrite: bool) -> None:
    if not overwrite and (path.exists() or path.is_symlink()) and not _is_empty_folder(path):
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
