"""Forms as records: one a line, every value plain, for tables and spreadsheets."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from typing import BinaryIO, Final

from trustag.files.json_records import write_json_line
from trustag.issues.exports import no_formula
from trustag.issues.flat_records import Cell
from trustag.issues.forms import Form

COLUMNS: Final = ("form", "given", "occurrences", "wrong", "doubt", "gain", "seen")


def form_row(form: Form) -> dict[str, Cell]:
    """Return a form as a row with all :data:`COLUMNS`; ``wrong`` says how many occurrences look wrong."""
    values: tuple[Cell, ...] = (
        form.text,
        form.label,
        len(form.occurrences),
        round(form.errors, 3),
        round(form.doubt, 3),
        round(form.gain, 3),
        seen_in_words(form),
    )
    return dict(zip(COLUMNS, values, strict=True))


def seen_in_words(form: Form) -> str:
    """Return what models see at the places of a form, most frequent first: ``ORG 3, O 1``."""
    return ", ".join(f"{label} {count:,}" for label, count in form.seen.items())


def _json_lines(stream: BinaryIO, forms: Iterable[Form]) -> None:
    for form in forms:
        write_json_line(stream, {**form_row(form), "seen": form.seen, "places": [one.id for one in form.occurrences]})


def _csv(stream: BinaryIO, forms: Iterable[Form]) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for form in forms:
        table.writerow([no_formula(cell) for cell in form_row(form).values()])
    text.detach()


FORM_EXPORTS: Final[Mapping[str, Callable[[BinaryIO, Iterable[Form]], None]]] = {"jsonl": _json_lines, "csv": _csv}
