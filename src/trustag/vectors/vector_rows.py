"""One line of a text file of word vectors: where the word ends, and what numbers its values are."""

from typing import Final

import msgspec
import numpy as np

from trustag.vectors.word_vectors import Matrix

_NUMBERS: Final = msgspec.json.Decoder(list[float])


def split_vector_row(line: bytes, width: int) -> tuple[bytes, bytes] | None:
    """Return word and values of a row that holds more than single spaces, or ``None`` where the count is wrong.

    A word may hold spaces itself, but must not end in a number of its own then: that is rather a value too many.
    """
    text = line.strip()
    fields = text.split()
    if line[:1].isspace() or len(fields) <= width:
        return None
    if len(fields) > width + 1 and _is_number(fields[-width - 1]):
        return None
    word = text.rsplit(None, width)[0]
    return word, b" ".join(fields[-width:])


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def parse_rows(rows: list[bytes], width: int) -> Matrix | None:
    """Return the values of ``rows``, each separated by single spaces, or ``None`` where some value is no number."""
    text = b",".join(rows)
    try:
        # A JSON array is parsed several times faster than numpy parses text.
        numbers = _NUMBERS.decode(b"[" + text.replace(b" ", b",") + b"]")
    except (msgspec.DecodeError, msgspec.ValidationError):
        # Not JSON, yet perhaps numbers all the same, such as ".5".
        return _parse_leniently(b" ".join(rows).split(b" "), len(rows), width)
    if len(numbers) != len(rows) * width:
        return None
    return _as_matrix(numbers, len(rows), width)


def _parse_leniently(fields: list[bytes], rows: int, width: int) -> Matrix | None:
    if any(b"_" in value for value in fields):
        return None
    try:
        return _as_matrix([float(value) for value in fields], rows, width)
    except ValueError:
        return None


def _as_matrix(numbers: list[float], rows: int, width: int) -> Matrix:
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and is refused as such
        return np.array(numbers, np.float64).astype(np.float32).reshape(rows, width)


def first_wrong_value(values: bytes) -> str:
    """Return a description of the first value in a row that is no finite number."""
    for place, value in enumerate(values.split(b" "), 1):
        parsed = parse_rows([value], 1)
        if parsed is None or not np.isfinite(parsed).all():
            return f"{value.decode(errors='replace')!r} as value {place}"
    return "a value that is no finite number"
