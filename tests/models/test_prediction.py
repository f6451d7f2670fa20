"""Entities in texts and tokens: offsets are exact, scores too, whatever form the texts are given in."""

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.models.random_network import NETWORK, SENTENCES
from trustag.errors import InputError
from trustag.models.prediction import Predictor
from trustag.models.tagger import Tagger
from trustag.notes import Note
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

PREDICTOR = Predictor(Tagger(NETWORK))
TEXTS = st.text(st.sampled_from("Ada of.the  new\t\n1é😀"), max_size=20)


@settings(max_examples=50)
@given(st.lists(TEXTS, max_size=4))
def test_entities_of_texts_are_where_they_say(texts: list[str]) -> None:
    found = PREDICTOR.predict(texts)
    assert len(found) == len(texts)
    for text, entities in zip(texts, found, strict=True):
        assert [text[entity.start : entity.end] for entity in entities] == [entity.text for entity in entities]
        assert all(0 < entity.score <= 1 for entity in entities)
        assert all(first.end <= second.start for first, second in pairwise(entities))
        (alone,) = PREDICTOR.predict(text)
        assert [(one.start, one.end, one.label) for one in alone] == [
            (one.start, one.end, one.label) for one in entities
        ]


@settings(max_examples=50)
@given(SENTENCES, st.floats(0, 1))
def test_entities_are_those_of_the_labels_and_the_improbable_are_left_out(
    sentences: list[tuple[str, ...]], least: float
) -> None:
    labels = PREDICTOR.predict_tokens(sentences)
    notes: list[Note] = []
    rows = [Sentence(tokens, (None,) * len(tokens)) for tokens in sentences]
    whole = list(PREDICTOR.stream(rows))
    sure = list(PREDICTOR.stream(rows, least, notes.append))
    left_out = 0
    for tokens, expected, before, after in zip(sentences, labels, whole, sure, strict=True):
        assert before.labels == expected
        spans = [(" ".join(tokens[span.start : span.end]), span.type) for span in read_spans(expected)]
        assert [(entity.text, entity.label) for entity in before.entities] == spans
        assert list(after.entities) == [entity for entity in before.entities if entity.score >= least]
        assert len(read_spans(after.labels)) == len(after.entities)
        left_out += len(before.entities) - len(after.entities)
    assert [note.detail for note in notes] == [f"{left_out:,} entities below {least:g}"] * bool(left_out)


@given(SENTENCES)
def test_marginals_are_probabilities_of_the_labels(sentences: list[tuple[str, ...]]) -> None:
    for tokens, marginals in zip(sentences, PREDICTOR.predict_marginals(sentences), strict=True):
        assert marginals.shape == (len(tokens), len(PREDICTOR.labels))
        np.testing.assert_allclose(marginals.sum(1), 1, atol=1e-5)


def test_a_table_of_pandas_is_a_list_of_token_lists() -> None:
    frame = pd.DataFrame({"sentence": [1, 1, 2], "token": ["Ada", "slept", "new"]})
    assert PREDICTOR.predict(frame) == PREDICTOR.predict([["Ada", "slept"], ["new"]])


@pytest.mark.parametrize(
    ("texts", "finding"),
    [
        (3, "3 where texts are expected; give a text, a list of texts"),
        ([["Ada", None]], "^text 1: the token None is no string"),
        (["Ada", 7], "^text 2: the token 7 is no string"),
    ],
)
def test_what_is_no_text_is_refused(texts: Any, finding: str) -> None:
    with pytest.raises(InputError, match=finding):
        PREDICTOR.predict(texts)


def test_texts_are_cut_as_asked_for() -> None:
    assert PREDICTOR.sentence("Ada, Rome.").tokens == ("Ada", ",", "Rome", ".")
    assert Predictor(Tagger(NETWORK), "whitespace").sentence("Ada, Rome.").tokens == ("Ada,", "Rome.")
    assert not PREDICTOR.expects_words
