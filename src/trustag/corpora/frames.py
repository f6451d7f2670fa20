"""Tables of pandas with one token per row as lists of sentences; pandas itself is not needed for anything else."""

import sys
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

from trustag.errors import InputError
from trustag.files.table_columns import Role, find_columns
from trustag.text.labels import Label

_ADVICE = "rename the columns, or name them: trustag.from_frame(frame, sentence=..., token=..., label=...)"


class FrameRows(NamedTuple):
    """The tokens of every sentence of a table and, if it has such columns, their labels and gold labels."""

    tokens: list[list[str]]
    labels: list[list[Label]] | None
    gold: list[list[Label]] | None


def is_frame(value: object) -> TypeGuard[Any]:
    """Tell whether ``value`` is a table of pandas, which need not be installed."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def from_frame(
    frame: Any, *, sentence: str | None = None, token: str | None = None, label: str | None = None
) -> tuple[list[list[str]], list[list[Label]]]:
    """Return the tokens and the labels of every sentence in a table of pandas, as ``NoisyNER.fit`` takes them.

    The columns are found by their names, as in CSV files, unless they are given. A new value in the column of sentences
    starts a sentence; an empty one continues it. Empty labels are unknown.
    """
    rows = frame_rows(frame, _given(sentence=sentence, token=token, label=label))
    if rows.labels is None:
        raise InputError(f"no column of labels among {_shown(frame)}", where="frame", remedy=_ADVICE)
    return rows.tokens, rows.labels


def frame_rows(frame: Any, names: dict[Role, str] | None = None, where: str = "frame") -> FrameRows:
    """Return the sentences of a table of pandas; ``names`` are the columns that are not found by their own names."""
    columns = _columns(frame, names or {}, where)
    values = {role: frame[name].tolist() for role, name in columns.items()}
    starts = _starts(values["sentence"])
    tokens = [_token(value, f"{where}, row {row}") for row, value in enumerate(values["token"])]
    labels, gold = (_labels(values.get(role), starts) for role in ("label", "gold"))
    return FrameRows(_cut(tokens, starts), labels, gold)


def _labels(values: list[Any] | None, starts: list[int]) -> list[list[Label]] | None:
    if values is None:
        return None
    return _cut([None if _is_missing(value) else value for value in values], starts)


def _given(**names: str | None) -> dict[Any, str]:
    return {role: name for role, name in names.items() if name is not None}


def _columns(frame: Any, names: dict[Role, str], where: str) -> dict[Role, Any]:
    """Return the name of the column of each role that there is."""
    header = list(frame.columns)
    for name in names.values():
        if name not in header:
            raise InputError(f"no column {name!r} among {_shown(frame)}", where=where, remedy="check the name")
    found = {role: header[index] for role, index in find_columns(list(map(str, header))).roles.items()}
    columns = {**found, **names}
    for role in ("sentence", "token"):
        if role not in columns:
            raise InputError(f"no column of {role}s among {_shown(frame)}", where=where, remedy=_ADVICE)
    return columns


def _shown(frame: Any) -> str:
    return ", ".join(map(str, frame.columns)) or "no columns"


def _starts(numbers: list[Any]) -> list[int]:
    """Return the rows at which a sentence starts, and the number of rows."""
    starts: list[int] = []
    current: object = None
    for row, number in enumerate(numbers):
        if row == 0 or not (_is_missing(number) or number == current):
            starts.append(row)
            current = number
    return [*starts, len(numbers)]


def _cut(values: list[Any], starts: list[int]) -> list[list[Any]]:
    return [values[start:end] for start, end in pairwise(starts)]


def _token(value: object, where: str) -> str:
    if isinstance(value, str):
        return value
    if _is_missing(value):
        remedy = "pandas takes words such as 'null' and 'NA' for missing: read the file with keep_default_na=False"
        raise InputError("the token is missing", where=where, remedy=remedy)
    raise InputError(f"the token {value!r} is no string", where=where, remedy="convert the column with astype(str)")


def _is_missing(value: object) -> bool:
    """Tell whether a cell is empty: ``None``, not a number, or pandas' own mark, none of which equals itself."""
    if value is None or value == "":
        return True
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT or value != value)  # noqa: PLR0124
