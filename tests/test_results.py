"""Notes: each is told once where work is done several times over."""

from trustag.notes import Note, each_once
from trustag.text.sentences import Source


def test_a_note_is_told_once_wherever_it_differs() -> None:
    first = Note("info", "a", "b", Source("x", 1))
    notes = [
        first,
        Note("info", "a", "b", Source("x", 2)),
        Note("info", "a", "b", Source("x", 1)),
        Note("info", "a", "c"),
    ]
    told: list[Note] = []
    watch = each_once(told.append)
    for note in notes:
        watch(note)
    assert told == [notes[0], notes[1], notes[3]]
