"""Convert folders to bytes and back, so that a fuzzer can change both names and contents.

A file is its name, a line end and its content; files are separated by a mark on its own line.
"""

import os
import shutil
from pathlib import Path
from typing import Final

MARK: Final = b"\n//// "
_MOST_FILES: Final = 12
_DEEPEST: Final = 3
_LONGEST_NAME: Final = 60


def packed_folder(folder: Path) -> bytes:
    """Return every file of ``folder`` with its name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return MARK.join(os.fsencode(path.relative_to(folder)) + b"\n" + path.read_bytes() for path in files)


def unpack_folder(data: bytes, folder: Path) -> None:
    """Make ``folder`` contain exactly the files that ``data`` describes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for part in data.split(MARK, _MOST_FILES - 1)[:_MOST_FILES]:
        name, _, content = part.partition(b"\n")
        path = _inside(folder, name)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _inside(folder: Path, name: bytes) -> Path | None:
    """Return the path for a file name, or None if it is invalid or outside of the folder."""
    parts = [part for part in os.fsdecode(name).split("/") if part not in {"", "."}]
    if not parts or len(parts) > _DEEPEST or ".." in parts or b"\0" in name:
        return None
    if any(len(os.fsencode(part)) > _LONGEST_NAME for part in parts):
        return None
    path = folder.joinpath(*parts)
    taken = path.is_dir() or any(parent.is_file() for parent in path.parents)
    return None if taken else path
