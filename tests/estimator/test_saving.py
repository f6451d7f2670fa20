"""A saved estimator comes back with all it knew, is a model for everything else, and is refused when it is broken."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import trustag
from tests.estimator.small import noisy_sentences, tiny
from tests.models.tiny_transformers import save_bert
from trustag import NoisyNER
from trustag.errors import InputError

X, Y, GOLD = noisy_sentences()


@pytest.fixture(scope="module")
def fitted() -> NoisyNER:
    return tiny("confidence").fit(X, Y, gold=GOLD)


def test_everything_comes_back(fitted: NoisyNER, tmp_path: Path) -> None:
    fitted.save(tmp_path / "once")
    NoisyNER.load(tmp_path / "once").save(tmp_path / "twice")
    again = NoisyNER.load(tmp_path / "twice")
    assert again.get_params() == fitted.get_params()
    assert again.predict(X) == fitted.predict(X)
    for name in ("changes_", "relabelled_", "noise_rates_", "detection_", "notes_", "recipe_", "scheme_", "labels_"):
        assert getattr(again, name) == getattr(fitted, name), name
    for name in ("confidence_", "trusted_"):
        for one, other in zip(getattr(again, name), getattr(fitted, name), strict=True):
            np.testing.assert_array_equal(one, other)
    for one, other in zip(again.predict_marginals(X), fitted.predict_marginals(X), strict=True):
        np.testing.assert_array_equal(one, other)
    assert [tuple(row) for row in again.predict(X)] == trustag.load(tmp_path / "once").predict_tokens(X)


def test_a_context_comes_back_without_its_folder(tmp_path: Path) -> None:
    place = save_bert(tmp_path / "encoder")
    estimator = tiny("confidence").set_params(context=place, bilstm__context_layers="1,2").fit(X, Y)
    assert [note.reason for note in estimator.notes_].count("frozen features beside the word vectors") == 1
    estimator.save(tmp_path / "saved")
    shutil.rmtree(place)
    again = NoisyNER.load(tmp_path / "saved")
    assert again.predict(X) == estimator.predict(X)
    assert again.recipe_.bilstm.context_layers == (1, 2)
    for one, other in zip(again.predict_marginals(X), estimator.predict_marginals(X), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-3)


def test_a_believing_one_has_no_confidence_to_save(tmp_path: Path) -> None:
    estimator = tiny().set_params(random_state=np.int64(3)).fit(X, Y)
    estimator.save(tmp_path / "plain")
    again = NoisyNER.load(tmp_path / "plain")
    assert (again.confidence_, again.changes_, again.relabelled_, again.random_state) == (None, (), Y, 3)


def test_nothing_is_overwritten_unasked(fitted: NoisyNER, tmp_path: Path) -> None:
    fitted.save(tmp_path / "saved")
    with pytest.raises(InputError, match="already exists"):
        fitted.save(tmp_path / "saved")
    fitted.save(tmp_path / "saved", overwrite=True)
    assert NoisyNER.load(tmp_path / "saved").predict(X) == fitted.predict(X)


def _without_a_label(folder: Path) -> None:
    saved = json.loads((folder / "estimator.json").read_text())
    saved["learned"]["relabelled"][0].pop()
    (folder / "estimator.json").write_text(json.dumps(saved))


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no description": (lambda folder: (folder / "estimator.json").unlink(), "no saved estimator here"),
    "half a description": (lambda folder: (folder / "estimator.json").write_text('{"format": 1,'), "not a sound"),
    "another format": (lambda folder: (folder / "estimator.json").write_text('{"format": 7}'), "estimator format 7"),
    "no learning": (lambda folder: (folder / "estimator.json").write_text('{"format": 1}'), "missing required field"),
    "no model": (lambda folder: (folder / "model-best" / "model.json").unlink(), "no model here"),
    "no recipe": (lambda folder: (folder / "recipe.toml").unlink(), "no such file"),
    "garbled arrays": (lambda folder: (folder / "confidence.npz").write_bytes(b"PK\x03\x04no"), "cannot be read"),
    "too few labels": (_without_a_label, "confidences for"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES.keys())
def test_broken_folders_are_refused(
    fitted: NoisyNER, tmp_path: Path, damage: Callable[[Path], object], message: str
) -> None:
    fitted.save(tmp_path / "saved")
    damage(tmp_path / "saved")
    with pytest.raises(InputError, match=message):
        NoisyNER.load(tmp_path / "saved")
