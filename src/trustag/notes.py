"""Notes that readers, writers and training report while they run: on what was changed, left out or looks wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from trustag.errors import printable
from trustag.text.sentences import Source

NO_LABELS: Final = "no labels"
"""The reason of notes on sentences whose labels are all unknown because the file has none."""

NoteKind: TypeAlias = Literal["info", "repaired", "dropped", "left out", "suspicious"]


@dataclass(frozen=True, slots=True)
class Note:
    """One thing the user may want to know; nothing is repaired, dropped or left out without a note.

    ``reason`` is a short fixed phrase, used to count notes; ``detail`` describes the single case.
    """

    kind: NoteKind
    reason: str
    detail: str
    source: Source | None = None

    def __str__(self) -> str:
        location = f"{self.source}: " if self.source is not None else ""
        return printable(f"{location}{self.kind}: {self.reason}: {self.detail}")


Watch: TypeAlias = Callable[[Note], None]
"""A function that receives notes."""


def unwatched(note: Note) -> None:
    """Ignore a note; the default where the caller passes no function."""


def each_once(watch: Watch) -> Watch:
    """Return a function that passes each distinct note to ``watch`` once, for work that is repeated."""
    seen: set[Note] = set()

    def pass_on(note: Note) -> None:
        if note not in seen:
            seen.add(note)
            watch(note)

    return pass_on
