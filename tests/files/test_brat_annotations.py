"""brat's lines: entities with their characters, fragments joined over blanks, all else counted or refused by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.files.brat_annotations import read_annotations
from trustag.notes import Note

TEXT = "Ann saw\nNew York, and Bo."


def read(content: str, text: str = TEXT) -> tuple[list[tuple[int, int, str]], list[Note]]:
    notes: list[Note] = []
    with scratch_file(content, "a.ann") as file:
        found = read_annotations(file, text, notes.append)
    return [(span.start, span.end, span.type) for span in found], notes


SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 5), st.sampled_from(["PER", "geo-loc", "Größe"])), max_size=5
)


@given(SPANS)
def test_entities_are_read_with_their_characters_in_order(spans: list[tuple[int, int, str]]) -> None:
    written = [(start, start + length, kind) for start, length, kind in spans]
    lines = [
        f"T{number}\t{kind} {start} {end}\t{TEXT[start:end].replace(chr(10), ' ')}"
        for number, (start, end, kind) in enumerate(written, start=1)
    ]
    found, notes = read("\n".join([*lines, ""]))
    assert found == written
    assert notes == []


def test_fragments_are_one_entity_where_only_blanks_lie_between() -> None:
    text = "New\nYork or York"
    assert read("T1\tLOC 0 3;4 8\tNew York", text) == ([(0, 8, "LOC")], [])
    found, notes = read("T1\tLOC 0 3;12 16\tNew York", text)
    assert found == []
    assert [(note.kind, note.source and note.source.line) for note in notes] == [("dropped", 1)]
    assert read("T1\tLOC 4 8;0 3\tYork New", text)[0] == []


def test_words_that_the_text_does_not_have_there_are_noted_with_their_line() -> None:
    found, notes = read("\nT1\tPER 0 3\tBob")
    assert found == [(0, 3, "PER")]
    assert [(note.source and str(note.source), "Bob" in note.detail) for note in notes] == [("a.ann:2", True)]


def test_other_kinds_are_counted_once_a_kind() -> None:
    found, notes = read("R1\tx Arg1:T1 Arg2:T2\nR2\tx\nA1\tx T1\n#1\tnote\nT1\tPER 0 3\tAnn\n*\tEquiv T1 T2\n")
    assert found == [(0, 3, "PER")]
    assert len(notes) == 4


@pytest.mark.parametrize("line", ["T1 PER 0 3", "T1\tPER 0", "T1\tPER a b\tx", "X", "T1\tPER 0 " + "9" * 20])
def test_what_is_no_annotation_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(InputError, match="^a.ann:2"):
        read(f"T1\tPER 0 3\tAnn\n{line}\n")
