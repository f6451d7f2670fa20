"""Tasks on a machine that does not share the files of whoever asks: files come and go as pieces."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trustag._version import __version__
from trustag.engines.parcels import PackedFiles, unpack, write_files
from trustag.errors import InputError

_UNUSED_SECONDS: Final = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """A function with its arguments."""

    work: Callable[..., Any]
    arguments: tuple[object, ...]
    named: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of a task: its value or its error, and the files it left, by their paths in its folder."""

    value: Any = None
    error: BaseException | None = None
    files: tuple[tuple[str, bytes], ...] | None = None


def perform(message: bytes, pieces: Mapping[str, Any], version: str, *, writes: bool) -> Finished:
    """Do the packed task on this machine; work that ``writes`` is given a folder, and its files come back."""
    import ray  # noqa: PLC0415 - takes seconds to load

    if version != __version__:
        finding = f"a machine of the cluster has version {__version__} of Trustag, this one {version}"
        return Finished(error=InputError(finding, remedy="install the same version everywhere"))
    try:

        def fetch(name: str) -> bytes:
            content: bytes = ray.get(pieces[name])
            return content

        return done(unpack(message, fetch, lambda packed: placed(packed, fetch)), writes=writes)
    except Exception as error:  # noqa: BLE001 - any error is raised where the result is read
        return Finished(error=error)


def done(task: RemoteTask, *, writes: bool) -> Finished:
    """Do a task and return its value, with the files it left if it ``writes``."""
    if not writes:
        return Finished(task.work(*task.arguments, **task.named))
    with tempfile.TemporaryDirectory(prefix="trustag-") as temporary:
        folder = Path(temporary) / "files"
        value = task.work(*task.arguments, folder)
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        return Finished(value, files=tuple((path.relative_to(folder).as_posix(), path.read_bytes()) for path in files))


def placed(packed: PackedFiles, fetch: Callable[[str], bytes]) -> Path:
    """Return where the files are on this machine; they are written if no task has needed them yet."""
    place = _own_folder()
    target = place / packed.checksum
    if not target.exists():
        _remove_unused(place)
        draft = Path(tempfile.mkdtemp(dir=place, prefix=".part-"))
        write_files(packed, fetch, draft / packed.name)
        try:
            draft.rename(target)
        except OSError:  # another task was faster
            shutil.rmtree(draft)
    os.utime(target)
    return target / packed.name


def _own_folder() -> Path:
    """Return the folder for such files, which nobody else may write into."""
    place = Path(tempfile.gettempdir()) / f"trustag-files-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    if place.stat().st_uid != os.getuid() or place.is_symlink():
        raise InputError("belongs to somebody else", where=place, remedy="set TMPDIR to a folder of your own")
    return place


def _remove_unused(place: Path) -> None:
    oldest = time.time() - _UNUSED_SECONDS
    for path in place.iterdir():
        if path.stat().st_mtime < oldest:
            shutil.rmtree(path, ignore_errors=True)
