"""Tagging in parts by an engine gives what a tagger gives, in order, and reads only a little ahead."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.training.small import small_corpus, small_recipe, small_run
from trustag.engines.in_process import InProcess
from trustag.export import parallel_tagging
from trustag.export.parallel_tagging import EngineTagger
from trustag.models import tagger
from trustag.models.saving import load_model
from trustag.text.schemes import Scheme

pytestmark = pytest.mark.slow  # trains a model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("tagging") / "run"
    small_run(run, small_recipe("training.epochs=1"))
    return run / "model-best"


def in_parts_of(size: int, model: Path, monkeypatch: pytest.MonkeyPatch) -> EngineTagger:
    for module in (tagger, parallel_tagging):
        monkeypatch.setattr(module, "LOOKAHEAD", size)
    return EngineTagger(load_model(model), InProcess(), model)


def test_parts_give_what_the_whole_gives(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [sentence.tokens for sentence in small_corpus().train]
    own = in_parts_of(7, model, monkeypatch)
    whole = load_model(model)
    assert list(own.tag_entities(sentences)) == list(whole.tag_entities(sentences))
    assert list(own.tag(sentences, Scheme.IOBES)) == list(whole.tag(sentences, Scheme.IOBES))
    pairs = zip(own.marginals(sentences), whole.marginals(sentences), strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)
    assert own.labels == whole.labels
    assert (own.expects_words, own.temperature, own.weight_count) == (
        whole.expects_words,
        whole.temperature,
        whole.weight_count,
    )


def test_only_some_parts_are_read_ahead(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = in_parts_of(2, model, monkeypatch)
    monkeypatch.setattr(parallel_tagging, "_WAITING", 3)
    read = 0

    def sentences() -> Iterator[tuple[str, ...]]:
        nonlocal read
        while True:
            read += 1
            yield ("Ada",)

    next(own.tag_entities(sentences()))
    assert read == 2 * (3 + 1)
