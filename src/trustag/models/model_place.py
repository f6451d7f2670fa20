"""Where the model is in a folder that somebody names; apart from loading it, which needs torch."""

from pathlib import Path
from typing import Final

from trustag.errors import InputError

MODEL_FILE: Final = "model.json"
_IN_RUNS: Final = ("model-best", "model-last")


def model_folder(folder: Path) -> Path:
    """Return the model folder that ``folder`` is, or that a run of this name holds."""
    for candidate in (folder, *(folder / name for name in _IN_RUNS)):
        if (candidate / MODEL_FILE).is_file():
            return candidate
    raise InputError("no model here", where=folder, remedy="name a model folder or a run (it holds a model.json)")
