"""Train named-entity recognisers from labels you only partly trust, and learn which labels not to trust."""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from trustag._version import __version__

__all__ = [
    "NoisyNER",
    "__version__",
    "find_entity_issues",
    "find_label_issues",
    "from_frame",
    "from_hub",
    "get_label_quality_scores",
    "issues_of_run",
    "load",
    "pipeline",
]

if TYPE_CHECKING:
    from trustag.corpora.frames import from_frame
    from trustag.estimator.noisy_ner import NoisyNER
    from trustag.integrations.hf_pipeline import pipeline
    from trustag.integrations.loaded_model import LoadedModel, from_hub
    from trustag.issues.arrays import find_label_issues, get_label_quality_scores
    from trustag.issues.from_probabilities import find_entity_issues
    from trustag.runs.issue_files import issues_of_run
else:
    # Found when first asked for, so that importing the package stays quick: torch takes a second to load.
    _PLACES = {
        "NoisyNER": "trustag.estimator.noisy_ner",
        "find_entity_issues": "trustag.issues.from_probabilities",
        "find_label_issues": "trustag.issues.arrays",
        "from_frame": "trustag.corpora.frames",
        "from_hub": "trustag.integrations.loaded_model",
        "get_label_quality_scores": "trustag.issues.arrays",
        "issues_of_run": "trustag.runs.issue_files",
        "pipeline": "trustag.integrations.hf_pipeline",
    }

    def __getattr__(name: str) -> object:
        """Return what the package offers, from the room it is in."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(_PLACES[name]), name)


def load(path: str | Path) -> "LoadedModel":
    """Return the model in ``path`` (a run, a model folder, an exported model), ready to predict entities in texts."""
    from trustag.integrations.loaded_model import load as load_model  # noqa: PLC0415 - torch takes a second to load

    return load_model(path)
