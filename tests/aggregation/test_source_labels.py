import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import labellings
from trustag.aggregation.source_labels import UNKNOWN, encode_sources, labels_of
from trustag.text.labels import Label

Rows = list[tuple[tuple[Label, ...], ...]]
TYPES = ("LOC", "PER")


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    lengths = draw(st.lists(st.integers(0, 5), min_size=1, max_size=8))
    return [tuple(draw(labellings(length, types=TYPES)) for _ in range(3)) for length in lengths]


@given(rows())
def test_the_labels_of_every_source_come_back(sentences: Rows) -> None:
    sources = encode_sources(["a", "b", "c"], TYPES, sentences)
    for number in range(3):
        assert list(sources.of(number)) == [labellings[number] for labellings in sentences]


@given(rows())
def test_blocks_hold_every_token_once_and_in_order(sentences: Rows) -> None:
    sources = encode_sources(["a", "b", "c"], TYPES, sentences)
    tokens = [token for block in sources.blocks for token in block[block >= 0].tolist()]
    assert sorted(tokens) == list(range(len(sources.indices)))
    for block in sources.blocks:
        for column in block.T:
            known = column[column >= 0]
            assert known.tolist() == list(range(known[0], known[0] + len(known)))
            assert known[0] in sources.offsets


def test_nothing_stands_before_the_first_token_of_a_sentence() -> None:
    sources = encode_sources(["a"], ["PER"], [(("B-PER", "I-PER"),), ((None, "O"),)])
    assert sources.before[:, 0].tolist() == [0, 1, 0, UNKNOWN]


def test_indices_are_spelled_as_labels() -> None:
    sources = encode_sources(["a"], ["PER"], [(("O", None),)])
    assert list(labels_of(np.array([2, UNKNOWN]), sources.labels, [1, 1])) == [("I-PER",), (None,)]
