"""A model's temperature flattens probabilities, changes no label, and is kept with the model."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.training.small import here, small_corpus, small_recipe
from trustag.errors import InputError
from trustag.models.saving import load_model, set_temperature
from trustag.pipeline import Destination, train_in


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("temperature") / "run"
    train_in(small_corpus(20), small_recipe("training.epochs=1"), Destination(path), here())
    return path / "model-best"


def test_older_models_have_none_and_hot_ones_are_less_sure(model: Path) -> None:
    sentences = [sentence.tokens for sentence in small_corpus().dev]
    before = load_model(model)
    assert "temperature" not in json.loads((model / "model.json").read_text())
    assert before.temperature == 1.0
    set_temperature(model, 3.0)
    after = load_model(model)
    assert after.temperature == 3.0
    assert list(after.tag(sentences)) == list(before.tag(sentences))
    cold, hot = (np.concatenate(list(tagger.marginals(sentences))) for tagger in (before, after))
    assert hot.max(1).mean() < cold.max(1).mean()
    assert hot.sum(1) == pytest.approx(np.ones(len(hot)), abs=1e-4)


@pytest.mark.parametrize("found", [0, -1, "warm", None])
def test_a_temperature_that_is_none_is_refused(model: Path, found: object) -> None:
    facts = json.loads((model / "model.json").read_text())
    (model / "model.json").write_text(json.dumps({**facts, "temperature": found}))
    with pytest.raises(InputError, match="temperature"):
        load_model(model)
    (model / "model.json").write_text(json.dumps(facts))
