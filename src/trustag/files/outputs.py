"""Write files and folders atomically: under a temporary name first, then renamed.

Nothing is overwritten unless requested. If the disk is full, the error names the file or folder to be written.
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
    """Open ``path`` for writing; the file gets its name only if the block succeeds (``-`` is standard output).

    Files named ``.gz`` are compressed, deterministically. Devices and pipes are written to directly. If ``path`` is a
    symbolic link, the file that it points to is written.
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
            raise InputError("is a folder, not a file", where=path, remedy="give the name of a file")
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
    """Yield an empty temporary folder that is renamed to ``path`` if the block succeeds.

    Overwriting a folder deletes all its content. The home folder, the working folder and their parents are therefore
    never overwritten.
    """
    with _named_errors(path):
        _refuse_existing(path, overwrite)
        if any(inner.is_relative_to(path.resolve()) for inner in (Path.cwd(), Path.home())):
            finding = "is or contains your home or working folder, which is never overwritten"
            raise InputError(finding, where=path, remedy="choose another folder")
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
    """Create ``target`` as a hard link to a file that is never changed in place, or as a copy if that fails."""
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


@contextmanager
def room_for(path: Path) -> Iterator[None]:
    """Turn a full disk while ``path`` or a part of it is being written into an error that names ``path``."""
    try:
        yield
    except DiskFullError as error:
        raise DiskFullError(error.finding, where=path, remedy=error.remedy) from None
    except OSError as error:
        if error.errno not in _FULL:
            raise
        finding = f"no space is left to write it ({error.strerror})"
        raise DiskFullError(finding, where=path, remedy="free some space, or choose another location") from None


@contextmanager
def draft_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside ``path`` in which it can be written; the folder is gone afterwards."""
    with tempfile.TemporaryDirectory(
        prefix=_hidden(path), suffix=".part", dir=_parent(path), ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


def remove_drafts(path: Path) -> None:
    """Remove the temporary files and folders of killed processes that were writing or replacing ``path``."""
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
        raise InputError(
            f"cannot be written ({error.strerror})", where=path, remedy="choose another location"
        ) from None


def _hidden(path: Path) -> str:
    """Return the prefix of temporary names for ``path``, short enough to leave space for a suffix."""
    return f".{path.name[:40]}."


def _refuse_existing(path: Path, overwrite: bool) -> None:
    if not overwrite and (path.exists() or path.is_symlink()) and not _is_empty_folder(path):
        raise InputError("already exists", where=path, remedy="choose another name or pass --overwrite")


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
