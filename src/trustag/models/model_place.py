"""Where the model is in a folder that somebody names; apart from loading it, which needs torch."""

from pathlib import Path
from typing import Final

from trustag.errors import InputError

MODEL_FILE: Final = "model.json"
EXPORT_FILE: Final = "export.json"
_IN_RUNS: Final = ("model-best", "model-last")


def is_exported(folder: Path) -> bool:
    """Tell whether ``folder`` holds an exported model."""
    return (folder / EXPORT_FILE).is_file()


def model_folder(folder: Path) -> Path:
    """Return the model folder or exported model that ``folder`` is, or the model that a run of this name holds."""
    if is_exported(folder):
        return folder
    for candidate in (folder, *(folder / name for name in _IN_RUNS)):
        if (candidate / MODEL_FILE).is_file():
            return candidate
    raise InputError("no model here", where=folder, remedy="name a model folder or a run (it holds a model.json)")
