"""Documents: entities at their place in the whole text, none twice, read as their sentences are."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.models.random_network import NETWORK
from trustag.models.long_documents import Windowing, plan_windows, sentence_lengths
from trustag.models.prediction import Predictor
from trustag.models.tagger import Tagger
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

PREDICTOR = Predictor(Tagger(NETWORK))
WORDS = st.sampled_from(["Ada", "of", "the", "new", "slept", ".", "!", '"', "Unheard", "é"])
DOCUMENTS = st.lists(WORDS, max_size=60).map(lambda tokens: Sentence(tuple(tokens), (None,) * len(tokens)))
WINDOWINGS = st.builds(Windowing, st.integers(1, 20), st.integers(0, 10), st.booleans())


@pytest.mark.parametrize(
    ("tokens", "lengths"),
    [
        ((), []),
        (("Ann", "left"), [2]),
        (("He", "left", ".", "Ann", "came", "."), [3, 3]),
        (("About", "3", ".", "5", "percent"), [3, 2]),
        (("e", ".", "g", ".", "this"), [5]),
        (("He", "said", ":", '"', "No", "!", '"', "Ann", "left"), [7, 2]),
        (("What", "?", "!", "Ann"), [3, 1]),
    ],
)
def test_sentences_end_at_marks_before_what_is_no_small_letter(tokens: tuple[str, ...], lengths: list[int]) -> None:
    assert sentence_lengths(Sentence(tokens, (None,) * len(tokens))) == lengths


def test_an_empty_line_ends_a_sentence() -> None:
    assert sentence_lengths(PREDICTOR.sentence("A headline\n\nand a text\nin lines")) == [2, 5]


@given(DOCUMENTS, WINDOWINGS)
def test_every_token_is_asked_about_once_in_a_window_that_is_not_too_long(
    document: Sentence, windowing: Windowing
) -> None:
    windows = plan_windows(document, windowing)
    asked = [token for window in windows for token in range(window.kept_start, window.kept_end)]
    assert asked == list(range(len(document)))
    for window in windows:
        assert window.start <= window.kept_start < window.kept_end <= window.end
        assert window.end - window.start <= windowing.tokens


@settings(max_examples=50)
@given(st.lists(DOCUMENTS, max_size=3), WINDOWINGS)
def test_entities_are_in_the_document_in_order_and_none_twice(documents: list[Sentence], windowing: Windowing) -> None:
    found = list(PREDICTOR.documents(documents, windowing=windowing))
    assert [one.sentence for one in found] == documents
    for prediction in found:
        text = prediction.sentence.text
        assert [text[one.start : one.end] for one in prediction.entities] == [one.text for one in prediction.entities]
        assert all(first.end <= second.start for first, second in pairwise(prediction.entities))
        assert len(read_spans(prediction.labels)) == len(prediction.entities)
        assert len(prediction.labels) == len(prediction.sentence)


def test_short_sentences_are_read_as_if_they_were_alone() -> None:
    sentences = [("Ada", "slept", "."), ("The", "new", "Ada", "slept", "!"), ("Unheard", "of", "?")]
    document = Sentence(tuple(token for tokens in sentences for token in tokens), (None,) * 11)
    (found,) = PREDICTOR.documents([document])
    alone = PREDICTOR.predict_tokens(sentences)
    assert found.labels == tuple(label for labels in alone for label in labels)


def test_a_stream_of_texts_is_read_only_a_little_ahead() -> None:
    taken = 0

    def texts() -> Iterable[str]:
        nonlocal taken
        for number in range(100_000):
            taken += 1
            yield f"Ada slept {number % 7} ."

    for documents in (False, True):
        taken = 0
        found = PREDICTOR.pipe(texts(), documents=documents)
        for _ in range(3):
            assert next(found) is not None
        assert taken < 20_000
    assert list(PREDICTOR.pipe(["Ada slept ."], 0.3)) == PREDICTOR.predict(["Ada slept ."], 0.3)
