"""Train named-entity recognisers from labels you only partly trust, and learn which labels not to trust."""

from pathlib import Path
from typing import TYPE_CHECKING

__all__ = ["NoisyNER", "__version__", "load"]
__version__ = "0.1.0"

if TYPE_CHECKING:
    from trustag.estimator.noisy_ner import NoisyNER
    from trustag.models.prediction import Predictor
else:

    def __getattr__(name: str) -> object:
        """Return the estimator when it is first asked for, so that importing the package stays quick."""
        if name != "NoisyNER":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from trustag.estimator.noisy_ner import NoisyNER  # noqa: PLC0415 - torch takes a second to load

        return NoisyNER


def load(path: str | Path) -> "Predictor":
    """Return the model in ``path`` (a model folder or a run), ready to predict entities in texts."""
    from trustag.models.prediction import load as load_predictor  # noqa: PLC0415 - torch takes a second to load

    return load_predictor(path)
