"""Decisions as values, and as rows of the decision log: each with a checksum, so that damage to the file is noticed."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from trustag.issues.forms import FORM_MARK
from trustag.text.spans import Span

Verdict: TypeAlias = Literal["accepted", "rejected", "edited", "depends", "skipped", "commented", "undone"]

COLUMNS: Final = (
    *("number", "batch", "issue", "verdict", "sentence", "first", "end", "spans", "comment", "reviewer", "at"),
    *("undoes", "checksum"),
)


class DamagedRowError(Exception):
    """A row that nobody wrote like that."""


class ReviewDecision(Struct, frozen=True):
    """A reviewer's verdict on the tokens ``first`` to ``end`` (exclusive) of a sentence; ``spans`` are their entities.

    The verdicts ``skipped`` and ``commented`` do not settle any labels; ``undone`` reverts an earlier entry of the log.
    A verdict on a form names its first occurrence and settles no labels either: the decisions on its occurrences, added
    together with it, do. ``depends`` says that the right label of a form depends on the context.
    """

    issue: str
    verdict: Verdict
    sentence: int
    first: int
    end: int
    spans: tuple[Span, ...] = ()
    comment: str = ""
    reviewer: str = ""
    at: str = ""

    @property
    def is_final(self) -> bool:
        """Whether the decision settles the labels."""
        return self.verdict in {"accepted", "rejected", "edited"} and not self.is_on_form

    @property
    def is_verdict(self) -> bool:
        """Whether the decision says what to think of its subject, and stays in force until it is undone."""
        return self.verdict in {"accepted", "rejected", "edited", "depends", "skipped"}

    @property
    def is_on_form(self) -> bool:
        """Whether the subject is a form instead of a single place."""
        return self.issue.startswith(FORM_MARK)


class Entry(Struct, frozen=True):
    """An entry of the log: its number, the number of the first entry of the same action, and the entry it reverts."""

    number: int
    batch: int
    decision: ReviewDecision
    undoes: int | None = None


class NewEntry(Struct, frozen=True):
    """An entry to add, provided that the newest entry on the same issue is still ``version`` (0: there is none)."""

    decision: ReviewDecision
    version: int
    undoes: int | None = None

    def stored(self, number: int, batch: int, at: str) -> Entry:
        """Return the entry as it stands in the log."""
        return Entry(number, batch, msgspec.structs.replace(self.decision, at=at), self.undoes)


def row_of(entry: Entry) -> tuple[Any, ...]:
    """Return the row of an entry, in the order of the columns."""
    decision = entry.decision
    subject = (decision.issue, decision.verdict, decision.sentence, decision.first, decision.end)
    said = (json.dumps(decision.spans), decision.comment, decision.reviewer, decision.at)
    values = (entry.number, entry.batch, *subject, *said, entry.undoes)
    return (*values, _checksum(values))


def entry_of(row: tuple[Any, ...]) -> Entry:
    """Return the entry of a row; one that is not as it was written is a ``DamagedRowError``."""
    *values, checksum = row
    # Rows of earlier versions have no checksum.
    if checksum is not None and checksum != _checksum(tuple(values)):
        raise DamagedRowError(f"decision {values[0]} is not as it was written")
    fields: Mapping[str, Any] = dict(zip(COLUMNS, values, strict=False))
    try:
        spans = msgspec.json.decode(fields["spans"], type=tuple[Span, ...])
        decision = msgspec.convert({**fields, "spans": spans}, ReviewDecision)
        return msgspec.convert({**fields, "decision": decision}, Entry)
    except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
        raise DamagedRowError(f"decision {values[0]} cannot be read ({error})") from None


def _checksum(values: tuple[Any, ...]) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]
