"""A model from its folder, whichever form it has: a run, a model folder, or an exported model."""

from pathlib import Path

from trustag.models.model_place import is_exported
from trustag.models.prediction import Predictor
from trustag.models.tagged import SentenceTagger


def load(path: str | Path, tokenizer: str = "auto") -> Predictor:
    """Return the model in ``path`` (a run, a model folder, an exported model), ready to predict."""
    return Predictor(load_tagger(Path(path)), tokenizer)


def load_tagger(path: Path) -> SentenceTagger:
    """Return the tagger in ``path``; torch is loaded only for models that need it."""
    if is_exported(path):
        from trustag.export.exported_tagger import ExportedTagger  # noqa: PLC0415 - what is not needed is not loaded

        return ExportedTagger(path)
    from trustag.models.saving import load_model  # noqa: PLC0415 - torch takes a second to load

    return load_model(path)
