"""Notes: one printable line each; repeated work reports a thing once."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.notes import Note, each_once, unwatched
from trustag.text.sentences import Source

REASONS = st.sampled_from(["illegal tag", "empty label"])
SOURCES = st.none() | st.builds(Source, st.just("a.conll"), st.integers(1, 2))
NOTES = st.builds(Note, st.just("repaired"), REASONS, st.text(max_size=1), SOURCES)


@given(st.text(), st.text())
def test_a_note_is_one_line_with_its_place_first(name: str, detail: str) -> None:
    line = str(Note("dropped", "span outside the text", detail, Source(name, 3)))
    assert line.isprintable()
    assert line.endswith(str(Note("dropped", "span outside the text", detail)))
    assert str(Note("info", "reason", "detail")) == "info: reason: detail"
    assert str(Note("info", "reason", "detail", Source("a.conll", 7))) == "a.conll:7: info: reason: detail"


@given(st.lists(NOTES))
def test_distinct_notes_are_passed_on_once_in_the_order_of_their_first_occurrence(notes: list[Note]) -> None:
    seen: list[Note] = []
    watch = each_once(seen.append)
    for note in notes:
        watch(note)
        unwatched(note)
    assert seen == list(dict.fromkeys(notes))
