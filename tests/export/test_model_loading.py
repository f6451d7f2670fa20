"""A folder tells by itself which form its model has; every form says the same."""

from pathlib import Path

import pytest

import trustag
from tests.export.models import MODELS
from trustag.errors import InputError
from trustag.export.exported_tagger import ExportedTagger
from trustag.export.model_loading import load
from trustag.models.prediction import Predictor
from trustag.models.saving import load_model

TEXTS = ["Ada slept of the new Unheard.", "", "Ada"]


def test_an_exported_model_is_loaded_as_one(folders: dict[str, Path]) -> None:
    loaded = trustag.load(folders["usual"])
    assert isinstance(loaded.tagger, ExportedTagger)
    assert not loaded.expects_words
    ours = Predictor(MODELS["usual"]).predict(TEXTS)
    for mine, theirs in zip(ours, loaded.predict(TEXTS), strict=True):
        assert [(e.start, e.end, e.text, e.label) for e in mine] == [(e.start, e.end, e.text, e.label) for e in theirs]
        assert [e.score for e in theirs] == pytest.approx([e.score for e in mine], abs=1e-5)


def test_what_needs_the_network_says_that_an_exported_model_has_none(folders: dict[str, Path]) -> None:
    with pytest.raises(InputError, match="name the run it was made from"):
        load_model(folders["usual"])


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model here"):
        load(tmp_path)
