"""Regions: right offsets are taken, offsets in UTF-16 units are proved by the words, others are doubted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.files.label_studio_regions import LabelStudioRegion, spans_of
from trustag.notes import Note
from trustag.text.sentences import Source

WHERE = Source("file", 9)


def read(text: str, *regions: LabelStudioRegion) -> tuple[list[tuple[int, int, str]], list[str]]:
    notes: list[Note] = []
    found = [(span.start, span.end, span.type) for span in spans_of(text, regions, WHERE, notes.append)]
    assert all(note.source == WHERE for note in notes)
    return found, [note.kind for note in notes]


TEXTS = st.text("ab😀中", min_size=1, max_size=10)


@given(TEXTS, st.data())
def test_right_offsets_are_taken_as_they_are(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    words = data.draw(st.sampled_from([text[start:end], None]))
    assert read(text, LabelStudioRegion(start, end, words, ["X"])) == ([(start, end, "X")], [])


@given(TEXTS, st.data())
def test_offsets_in_utf16_units_are_turned_into_characters(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    units = [len(text[:index].encode("utf-16-le")) // 2 for index in (start, end)]
    found, notes = read(text, LabelStudioRegion(units[0], units[1], text[start:end], ["X"]))
    (first, last, _) = found[0]
    # The units may by chance be right as characters too, where the same words stand twice.
    assert text[first:last] == text[start:end]
    assert (notes == ["repaired"]) == ([first, last] != units)


def test_words_that_are_nowhere_near_are_kept_and_noted() -> None:
    assert read("Ann saw Bo", LabelStudioRegion(0, 3, "Bo", ["PER"])) == ([(0, 3, "PER")], ["suspicious"])
    assert read("Ann", LabelStudioRegion(5, 9, None, ["PER"])) == ([(5, 9, "PER")], [])


def test_the_first_label_counts_and_each_further_one_is_noted() -> None:
    found, notes = read("Ann", LabelStudioRegion(0, 3, "Ann", ["PER", "ORG", "LOC"]))
    assert found == [(0, 3, "PER")]
    assert len(notes) == 2
    assert read("Ann", LabelStudioRegion(0, 3, "Ann")) == ([(0, 3, "")], [])


def test_an_address_instead_of_a_text_is_refused() -> None:
    with pytest.raises(InputError, match="^file:9.*address"):
        read("s3://bucket/text.txt", LabelStudioRegion(90, 99, "Ann", ["PER"]))
