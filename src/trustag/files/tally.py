"""Count what is left out of a file, so that a thousand equal cases give one note instead of a thousand."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

import msgspec

from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, read_json_records
from trustag.files.text_spans import shorten
from trustag.notes import Note, NoteKind, Watch
from trustag.text.sentences import Source

T = TypeVar("T", bound=msgspec.Struct)


@dataclass(slots=True)
class Tally:
    """Counts of what was left out of one file, by kind, reason and thing."""

    file: str
    counts: Counter[tuple[NoteKind, str, str]] = field(default_factory=Counter)

    def add(self, kind: NoteKind, reason: str, thing: str) -> None:
        """Count one more ``thing``."""
        self.counts[kind, reason, thing] += 1

    def add_extra_keys(self, record: msgspec.Raw, known: type[msgspec.Struct], where: Source, prefix: str = "") -> None:
        """Count the keys of a JSON object that are not fields of ``known``."""
        names = _key_names(known)
        for key in decode(record, dict[str, msgspec.Raw], where):
            if key not in names:
                self.add("left out", "extra key", repr(prefix + key))

    def report(self, watch: Watch) -> None:
        """Report one note for each thing counted, in order of first occurrence."""
        for (kind, reason, thing), count in self.counts.items():
            times = "once" if count == 1 else f"{count} times"
            watch(Note(kind, reason, f"{thing}, {times}", Source(self.file)))


def counted_records(file: InputFile, kind: type[T], tally: Tally) -> Iterator[tuple[Source, T]]:
    """Yield the JSON records of ``file`` with their locations; keys that are not fields of ``kind`` are counted.

    So is what a language model wrote around its Markdown fences.
    """

    def leave_out(text: str) -> None:
        tally.add("left out", "text outside the Markdown fences", shorten(text))

    for line, raw in read_json_records(file, msgspec.Raw, leave_out):
        where = Source(file.name, line)
        record = decode(raw, kind, where)
        tally.add_extra_keys(raw, kind, where)
        yield where, record


@cache
def _key_names(known: type[msgspec.Struct]) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(known))
