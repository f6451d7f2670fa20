"""Files that a task left on another machine, written where they belong."""

from collections.abc import Iterable
from pathlib import Path

from trustag.files.outputs import new_file, new_folder


def write_received(folder: Path, files: Iterable[tuple[str, bytes]], *, keep: bool) -> None:
    """Put files, each with its path inside, in place of ``folder`` as a whole; with ``keep`` add them to it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    if keep:
        _write(folder, files)
        return
    with new_folder(folder, overwrite=True) as draft:
        _write(draft, files)


def _write(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with new_file(path, overwrite=True) as stream:
            stream.write(content)
