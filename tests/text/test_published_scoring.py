"""The published evaluator: conlleval's counts on legal labels, and its known fault on others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.text.published_scoring import score_as_published
from trustag.text.schemes import Scheme, write_spans
from trustag.text.scoring import Counts, score_labels
from trustag.text.spans import Span


@st.composite
def labellings(draw: st.DrawFn, length: int) -> tuple[str, ...]:
    """Legal IOBES labels of a sentence."""
    spans, start = [], 0
    while start < length:
        size, kind = draw(st.integers(1, 3)), draw(st.sampled_from(["", "PER", "LOC"]))
        if kind and start + size <= length:
            spans.append(Span(start, start + size, kind))
        start += size
    return tuple(label or "O" for label in write_spans(spans, ["O"] * length, Scheme.IOBES))


PAIRS = st.lists(
    st.integers(0, 8).flatmap(lambda length: st.tuples(labellings(length), labellings(length))), max_size=4
)


@given(pairs=PAIRS)
def test_on_legal_labels_it_is_conlleval(pairs: list[tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
    assert score_as_published(pairs) == score_labels(pairs)


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        # The missing B of the prediction is borrowed from gold, so a broken entity counts as right.
        ("B-PER E-PER", "O E-PER", Counts(1, 1, 1)),
        # A stray E goes back to the B of an entity that has ended.
        ("O O O O", "B-PER E-PER O E-PER", Counts(0, 2, 0)),
        # The type is that of the end.
        ("B-LOC E-LOC", "B-PER E-LOC", Counts(1, 1, 1)),
        # Without an end there is no entity.
        ("S-PER O", "B-PER O", Counts(0, 0, 1)),
        # No B anywhere: an entity from before the sentence, which nothing equals.
        ("S-PER O", "E-PER O", Counts(0, 1, 1)),
    ],
)
def test_on_illegal_labels_it_repeats_the_published_fault(gold: str, predicted: str, expected: Counts) -> None:
    assert score_as_published([(gold.split(), predicted.split())]).micro == expected


def test_gold_may_be_in_another_scheme() -> None:
    assert score_as_published([(["B-PER", "I-PER", "O"], ["B-PER", "E-PER", "O"])]).micro == Counts(1, 1, 1)
