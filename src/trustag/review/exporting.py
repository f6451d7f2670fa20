"""Decisions as JSON lines: every entry of the log, oldest first, marked with whether it is in force."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.json_records import read_json_lines
from trustag.review.entries import Entry, ReviewDecision
from trustag.review.state import ReviewState
from trustag.text.sentences import Source


def decision_lines(state: ReviewState) -> Iterator[bytes]:
    """Yield one line of JSON for each entry of the log."""
    for entry in state.entries():
        yield msgspec.json.encode(_record(entry, is_in_force=state.in_force(entry.decision.issue) == entry)) + b"\n"


def read_decisions(path: Path) -> Iterator[tuple[Source, ReviewDecision]]:
    """Yield the exported decisions that settle labels and are in force, each with its line in the file."""
    for line, record in read_json_lines(InputFile(path), dict[str, Any]):
        where = Source(str(path), line)
        try:
            spans = [(span["start"], span["end"], span["label"]) for span in record["spans"]]
            decision = msgspec.convert({**record, "spans": spans}, ReviewDecision)
            is_in_force = bool(record["in_force"])
        except (msgspec.ValidationError, KeyError, TypeError) as error:
            raise InputError(
                f"not a review decision ({error!s})", where=where, remedy="use the file as it was exported"
            ) from None
        if is_in_force and decision.is_final:
            yield where, decision


def _record(entry: Entry, *, is_in_force: bool) -> dict[str, Any]:
    decision = msgspec.structs.asdict(entry.decision)
    spans = [{"start": start, "end": end, "label": kind} for start, end, kind in entry.decision.spans]
    return {"number": entry.number, **decision, "spans": spans, "undoes": entry.undoes, "in_force": is_in_force}
