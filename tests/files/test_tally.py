"""The tally: one note for each thing, however often it was met."""

import msgspec

from trustag.files.tally import Tally
from trustag.notes import Note
from trustag.text.sentences import Source


class Known(msgspec.Struct):
    text: str
    type_: str = msgspec.field(name="type", default="")


def test_things_are_counted_and_reported_once_in_order_of_first_occurrence() -> None:
    tally = Tally("data.json")
    for thing in ("b", "a", "b"):
        tally.add("dropped", "odd", thing)
    notes: list[Note] = []
    tally.report(notes.append)
    assert notes == [
        Note("dropped", "odd", "b, 2 times", Source("data.json")),
        Note("dropped", "odd", "a, once", Source("data.json")),
    ]


def test_keys_without_a_field_are_extra() -> None:
    tally = Tally("data.json")
    tally.add_extra_keys(msgspec.Raw(b'{"text": "", "type": "", "type_": 1}'), Known, Source("data.json", 1), "task.")
    assert dict(tally.counts) == {("left out", "extra key", "'task.type_'"): 1}
