"""Train named-entity recognisers from labels you only partly trust, and learn which labels not to trust."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trustag.models.prediction import Predictor

__version__ = "0.1.0"


def load(path: str | Path) -> "Predictor":
    """Return the model in ``path`` (a model folder or a run), ready to predict entities in texts."""
    from trustag.models.prediction import load as load_predictor  # noqa: PLC0415 - torch takes a second to load

    return load_predictor(path)
