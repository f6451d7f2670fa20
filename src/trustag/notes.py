"""What the work reports while it runs: notes on everything that was changed, left out or looks wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from trustag.errors import printable
from trustag.text.sentences import Source

NoteKind: TypeAlias = Literal["info", "repaired", "dropped", "left out", "suspicious"]


@dataclass(frozen=True, slots=True)
class Note:
    """One thing a person may want to know: nothing is repaired, dropped or left out without one.

    ``reason`` is a short fixed phrase to count by; ``detail`` says what happened in this case.
    """

    kind: NoteKind
    reason: str
    detail: str
    source: Source | None = None

    def __str__(self) -> str:
        place = f"{self.source}: " if self.source is not None else ""
        return printable(f"{place}{self.kind}: {self.reason}: {self.detail}")


Watch: TypeAlias = Callable[[Note], None]


def unwatched(note: Note) -> None:
    """Take a note and forget it, for callers who do not ask."""


def each_once(watch: Watch) -> Watch:
    """Return a watch that passes on every note the first time it comes, for work that is done several times over."""
    told: set[Note] = set()

    def tell(note: Note) -> None:
        if note not in told:
            told.add(note)
            watch(note)

    return tell
