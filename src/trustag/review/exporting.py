"""Decisions as JSON lines: everything the log holds, oldest first, with what is in force marked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.json_records import read_json_lines
from trustag.review.decisions import Decision, Entry
from trustag.review.standing import Standing
from trustag.text.sentences import Source


def decision_lines(standing: Standing) -> Iterator[bytes]:
    """Yield one line for each entry of the log."""
    for entry in standing.entries():
        yield msgspec.json.encode(_record(entry, is_in_force=standing.in_force(entry.decision.issue) == entry)) + b"\n"


def read_decisions(path: Path) -> Iterator[tuple[Source, Decision]]:
    """Yield the decisions on labels that :func:`decision_lines` wrote as being in force."""
    for line, record in read_json_lines(InputFile(path), dict[str, Any]):
        where = Source(str(path), line)
        try:
            spans = [(span["start"], span["end"], span["label"]) for span in record["spans"]]
            decision = msgspec.convert({**record, "spans": spans}, Decision)
            is_in_force = bool(record["in_force"])
        except (msgspec.ValidationError, KeyError, TypeError) as error:
            raise InputError(f"is no decision ({error!s})", where=where, remedy="take the file as exported") from None
        if is_in_force and decision.is_final:
            yield where, decision


def _record(entry: Entry, *, is_in_force: bool) -> dict[str, Any]:
    decision = msgspec.structs.asdict(entry.decision)
    spans = [{"start": start, "end": end, "label": kind} for start, end, kind in entry.decision.spans]
    return {"number": entry.number, **decision, "spans": spans, "undoes": entry.undoes, "in_force": is_in_force}
