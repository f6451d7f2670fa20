"""Counts of sentences come back from their text, which is short."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.experiments.sentence_results import as_text, from_text
from trustag.text.scoring import Counts

counts = st.builds(Counts, *[st.integers(0, 2**16 - 1)] * 3)


@given(st.lists(counts))
def test_counts_come_back(sentences: list[Counts]) -> None:
    table = from_text(as_text(sentences))
    assert table.shape == (len(sentences), 3)
    assert [Counts(*map(int, row)) for row in table] == sentences


def test_the_text_of_a_corpus_is_short_and_needs_no_escapes() -> None:
    text = as_text([Counts(number % 2, 1, number % 3) for number in range(4000)])
    assert len(text) < 500
    assert text.isascii()
    assert '"' not in text
    assert "\\" not in text
