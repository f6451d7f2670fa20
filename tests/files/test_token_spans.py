"""Entities given by token numbers become labels that spell exactly them; what does not fit is noted and dropped."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.files.token_spans import labels_from_token_spans
from trustag.notes import Note
from trustag.text.sentences import Source
from trustag.text.spans import Span, read_spans

WHERE = Source("file", 3)
TOKENS = ("a", "b", "c", "d", "e")
ENTITIES = st.lists(
    st.tuples(st.integers(-2, 6), st.integers(-2, 6), st.sampled_from(["PER", "LOC", " ", ""])), max_size=6
)


@given(ENTITIES)
def test_what_is_labelled_was_given_and_what_is_not_was_noted(entities: list[tuple[int, int, str]]) -> None:
    notes: list[Note] = []
    found = read_spans(labels_from_token_spans(TOKENS, entities, WHERE, notes.append))
    given_spans = [Span(first, last + 1, kind) for first, last, kind in entities]
    assert set(found) <= set(given_spans)
    assert len(found) + len(notes) >= len(set(given_spans))
    assert all(note.source == WHERE for note in notes)
    impossible = [
        entity for entity in entities if not (0 <= entity[0] <= entity[1] < len(TOKENS) and entity[2].strip())
    ]
    assert len(notes) >= len(impossible)


@given(st.lists(st.sampled_from(["PER", "LOC", None]), min_size=5, max_size=5))
def test_entities_that_do_not_overlap_all_stay(kinds: list[str | None]) -> None:
    notes: list[Note] = []
    entities = [(token, token, kind) for token, kind in enumerate(kinds) if kind]
    found = read_spans(labels_from_token_spans(TOKENS, entities, WHERE, notes.append))
    assert found == [Span(first, last + 1, kind) for first, last, kind in entities]
    assert not notes


def test_without_a_list_every_label_is_unknown_and_without_entities_every_label_is_outside() -> None:
    notes: list[Note] = []
    assert labels_from_token_spans(TOKENS, None, WHERE, notes.append) == (None,) * 5
    assert len(notes) == 1
    assert labels_from_token_spans(TOKENS, [], WHERE, notes.append) == ("O",) * 5
    assert len(notes) == 1
