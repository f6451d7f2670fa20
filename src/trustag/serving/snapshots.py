"""A private copy of the model that is served, so that workers that start later load the same one."""

import shutil
from pathlib import Path
from typing import Final

from trustag.errors import InputError
from trustag.models.model_place import model_folder

_ATTEMPTS: Final = 5


def copy_model(source: Path, target: Path) -> None:
    """Copy the model in ``source``, a model folder or a run; an error if it keeps changing meanwhile."""
    for _ in range(_ATTEMPTS):
        shutil.rmtree(target, ignore_errors=True)
        try:
            folder = model_folder(source)
            before = _state(folder)
            shutil.copytree(folder, target, symlinks=True)
            if _state(folder) == before:
                return
        except (FileNotFoundError, shutil.Error):
            continue  # it was being replaced
    raise InputError("the model changes while it is copied", where=source, remedy="wait until it is written")


def _state(folder: Path) -> list[tuple[str, int, int, int]]:
    """Return what tells the files of a folder from others that take their place."""
    files = ((path, path.lstat()) for path in sorted(folder.rglob("*")))
    return [(str(path), status.st_ino, status.st_size, status.st_mtime_ns) for path, status in files]
