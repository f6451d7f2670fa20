"""A folder tells by itself which form its model has; every form says the same."""

from pathlib import Path

import pytest

import trustag
from tests.export.models import MODELS
from trustag.errors import InputError
from trustag.export.exported_tagger import ExportedTagger
from trustag.export.model_loading import load
from trustag.models.prediction import Predictor

TEXTS = ["Ada slept of the new Unheard.", "", "Ada"]


def test_an_exported_model_is_loaded_as_one(folders: dict[str, Path]) -> None:
    loaded = trustag.load(folders["usual"])
    assert isinstance(loaded.tagger, ExportedTagger)
    assert not loaded.expects_words
    ours = Predictor(MODELS["usual"]).predict(TEXTS)
    for mine, theirs in zip(ours, loaded.predict(TEXTS), strict=True):
        assert [(e.start, e.end, e.text, e.label) for e in mine] == [(e.start, e.end, e.text, e.label) for e in theirs]
        assert [e.score for e in theirs] == pytest.approx([e.score for e in mine], abs=1e-5)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model here"):
        load(tmp_path)
