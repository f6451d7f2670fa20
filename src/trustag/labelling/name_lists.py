"""Read lists of names from files: one form a line, ``TYPE<TAB>form``, CSV or JSON."""

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from trustag.errors import InputError
from trustag.files.inputs import InputFile

UNTYPED_LIST: Final = "unknown"
"""The type to give for a list whose forms are names of an unknown type; it is read as ``None``."""
_FORM_COLUMNS: Final = ("form", "name", "surface", "entity", "text")
_TYPE_COLUMNS: Final = ("type", "label", "class")
_WEIGHT_COLUMN: Final = "weight"
_TYPES_IN_FILE_NAMES: Final = {
    "per": "PER",
    "person": "PER",
    "loc": "LOC",
    "location": "LOC",
    "org": "ORG",
    "organization": "ORG",
    "organisation": "ORG",
    "misc": "MISC",
    "gpe": "GPE",
}
_TYPE_REMEDY: Final = "give the type with TYPE=PATH (unknown=PATH for names of unknown types), or write TYPE<TAB>form"


class ListedName(NamedTuple):
    """One entry of a list: how a name is written, its type (``None``: a name of an unknown type), and its weight."""

    text: str
    type: str | None
    weight: float = 1.0


def read_forms(path: Path, given_type: str | None = None) -> Iterator[ListedName]:
    """Yield the entries of the list at ``path``; ``given_type`` is the type of those that state none.

    The file name decides how it is read: ``.csv``, ``.json`` and ``.jsonl``, else lines. Blank lines are skipped.
    """
    file = InputFile(path)
    suffix = Path(path.name.removesuffix(".gz")).suffix
    if suffix == ".csv":
        yield from _from_table(file, given_type)
    elif suffix == ".json":
        yield from _from_json(file, given_type)
    elif suffix == ".jsonl":
        yield from _from_json_lines(file, given_type)
    else:
        yield from _from_lines(file, given_type)


def type_of_file_name(name: str) -> str | None:
    """Return the type that the name of a file begins with, or ``None``.

    >>> type_of_file_name("loc_cities.txt"), type_of_file_name("PER.tsv"), type_of_file_name("names.txt")
    ('LOC', 'PER', None)
    """
    first = name.partition(".")[0].partition("_")[0].partition("-")[0]
    return _TYPES_IN_FILE_NAMES.get(first.lower())


def _from_lines(file: InputFile, given_type: str | None) -> Iterator[ListedName]:
    for number, line in enumerate(file.lines(), start=1):
        first, tab, second = line.partition("\t")
        if tab and second.strip():
            yield _form(second, first, None, f"{file.name}:{number}", given_type)
        elif first.strip():
            yield _form(first, None, None, f"{file.name}:{number}", given_type)


def _from_table(file: InputFile, given_type: str | None) -> Iterator[ListedName]:
    rows = csv.DictReader(_lines_with_ends(file), strict=True)
    try:
        names = [name.strip().lower() for name in rows.fieldnames or ()]
        form, kind = (next((n for n in known if n in names), None) for known in (_FORM_COLUMNS, _TYPE_COLUMNS))
        if form is None:
            remedy = f"name one of its columns {_FORM_COLUMNS[0]}; others may be type and weight"
            raise InputError("no column of names in the first line", where=f"{file.name}:1", remedy=remedy)
        rows.fieldnames = names
        for row in rows:
            if (row[form] or "").strip():
                where = f"{file.name}:{rows.line_num}"
                yield _form(row[form], row[kind] if kind else None, row.get(_WEIGHT_COLUMN), where, given_type)
    except csv.Error as error:
        raise InputError(f"not a table ({error})", where=f"{file.name}:{rows.line_num}", remedy="mend it") from None


def _lines_with_ends(file: InputFile) -> Iterator[str]:
    return (f"{line}\n" for line in file.lines())


def _from_json(file: InputFile, given_type: str | None) -> Iterator[ListedName]:
    found = _parsed(file.text(), file.name)
    if isinstance(found, dict):
        for kind, forms in found.items():
            if not isinstance(forms, list):
                raise _wrong_shape(file.name)
            yield from _from_records(({"form": form, "type": kind} for form in forms), file.name, given_type)
    elif isinstance(found, list):
        yield from _from_records(found, file.name, given_type)
    else:
        raise _wrong_shape(file.name)


def _from_json_lines(file: InputFile, given_type: str | None) -> Iterator[ListedName]:
    for number, line in enumerate(file.lines(), start=1):
        if line.strip():
            yield from _from_records([_parsed(line, f"{file.name}:{number}")], f"{file.name}:{number}", given_type)


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON ({error})", where=where, remedy="mend it") from None


def _from_records(records: Iterable[object], where: str, given_type: str | None) -> Iterator[ListedName]:
    for record in records:
        fields: dict[str, Any] = {"form": record} if isinstance(record, str) else record  # type: ignore[assignment]
        if not isinstance(fields, dict):
            raise _wrong_shape(where)
        form = next((fields[name] for name in _FORM_COLUMNS if name in fields), None)
        kind = next((fields[name] for name in _TYPE_COLUMNS if name in fields), None)
        if not isinstance(form, str) or not (kind is None or isinstance(kind, str)):
            raise _wrong_shape(where)
        if form.strip():
            yield _form(form, kind, fields.get(_WEIGHT_COLUMN), where, given_type)


def _wrong_shape(where: str) -> InputError:
    remedy = '{"TYPE": ["form", ...]}, or a list of forms or of {"form": ..., "type": ..., "weight": ...}'
    return InputError("not a list of names", where=where, remedy=f"write {remedy}")


def _form(text: str, kind: str | None, weight: object, where: str, given_type: str | None) -> ListedName:
    stated = (kind or "").strip() or given_type
    if stated is None:
        raise InputError(f"no type is given for {text.strip()[:60]!r}", where=where, remedy=_TYPE_REMEDY)
    if any(character.isspace() for character in stated):
        raise InputError(f"the type {stated!r} contains a space", where=where, remedy="write it without spaces")
    return ListedName(text.strip(), None if stated == UNTYPED_LIST else stated, _weight(weight, where))


def _weight(value: object, where: str) -> float:
    if value is None or value == "":
        return 1.0
    try:
        weight = float(value)  # type: ignore[arg-type] # what is no number raises
    except (TypeError, ValueError):
        weight = -1.0
    if not 0 < weight <= 1_000_000:
        raise InputError(f"the weight {value!r} is not a positive number", where=where, remedy="correct it")
    return weight
