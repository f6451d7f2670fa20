"""An exported model says what its network says, of one sentence and of many, and remembers words within bounds."""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.export.models import MODELS
from tests.models.random_network import WORDS
from trustag.export.exported_tagger import ExportedTagger
from trustag.models.tagger import Tagger
from trustag.text.schemes import Scheme

ROWS = np.random.default_rng(3)
MANY = [tuple(ROWS.choice(WORDS, size)) for size in [*ROWS.integers(1, 12, 140).tolist(), 1, 60]]
SENTENCES = [*MANY[:70], (), *MANY[70:]]


@pytest.mark.parametrize("sentences", [SENTENCES, SENTENCES[:3], [("Ada",)], [()], []])
def test_labels_entities_and_probabilities_are_those_of_the_network(
    pair: tuple[Tagger, ExportedTagger], sentences: list[tuple[str, ...]]
) -> None:
    network, exported = pair
    for scheme in (Scheme.IOB2, network.labels.scheme):
        assert list(exported.tag(sentences, scheme)) == list(network.tag(sentences, scheme))
    for ours, theirs in zip(network.tag_entities(sentences), exported.tag_entities(sentences), strict=True):
        assert ours.labels == theirs.labels
        assert [(e.start, e.end, e.type) for e in ours.entities] == [(e.start, e.end, e.type) for e in theirs.entities]
        scores = [entity.score for entity in ours.entities]
        assert [entity.score for entity in theirs.entities] == pytest.approx(scores, abs=1e-5)
    for table, other in zip(network.marginals(sentences), exported.marginals(sentences), strict=True):
        assert other.dtype == np.float32
        np.testing.assert_allclose(other, table, atol=1e-5)


def test_one_at_a_time_gives_the_same_as_many(pair: tuple[Tagger, ExportedTagger]) -> None:
    _, exported = pair
    together = list(exported.tag_entities(SENTENCES))
    for sentence, tagged in zip(SENTENCES[::7], together[::7], strict=True):
        (alone,) = exported.tag_entities([sentence])
        assert alone.labels == tagged.labels
        scores = [entity.score for entity in tagged.entities]
        assert [entity.score for entity in alone.entities] == pytest.approx(scores, abs=1e-6)


def test_threads_and_copies_give_the_same(folders: dict[str, Path]) -> None:
    exported = ExportedTagger(folders["usual"])
    expected = list(MODELS["usual"].tag(SENTENCES))
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(lambda sentence: next(iter(exported.tag([sentence]))), SENTENCES)
        assert list(found) == expected
    assert list(pickle.loads(pickle.dumps(exported)).tag(SENTENCES)) == expected


def test_neither_torch_nor_onnx_is_loaded(folders: dict[str, Path]) -> None:
    code = (
        "import sys, trustag\n"
        f"print(trustag.load({str(folders['usual'])!r}).predict_tokens([['Ada', 'slept']]))\n"
        "print([name for name in ('torch', 'onnx', 'spacy', 'transformers') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    labels, loaded = done.stdout.splitlines()
    assert labels == str(list(MODELS["usual"].tag([["Ada", "slept"]])))
    assert loaded == "[]"
