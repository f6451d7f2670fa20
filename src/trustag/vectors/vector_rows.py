"""Parse the lines of a text file of word vectors: split the word from its values, and convert these to numbers."""

from typing import Final

import msgspec
import numpy as np

from trustag.vectors.word_vectors import Matrix

_NUMBERS: Final = msgspec.json.Decoder(list[float])


def split_vector_row(line: bytes, width: int) -> tuple[bytes, bytes] | None:
    """Return the word and the values of a row with irregular whitespace, or ``None`` if the number of values is wrong.

    A word may contain spaces, but then must not end in a number, since that is more likely an extra value.
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
    """Return the values of ``rows``, which are separated by single spaces, or ``None`` if a value is not a number.

    The result has shape (rows, width).
    """
    text = b",".join(rows)
    try:
        # Parsing a JSON array is several times faster than parsing text with numpy.
        numbers = _NUMBERS.decode(b"[" + text.replace(b" ", b",") + b"]")
    except (msgspec.DecodeError, msgspec.ValidationError):
        # Some numbers, such as ".5", are not valid JSON.
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
    with np.errstate(over="ignore"):  # values too large for float32 become infinite and are rejected later
        return np.array(numbers, np.float64).astype(np.float32).reshape(rows, width)


def first_wrong_value(values: bytes) -> str:
    """Return a description of the first value in a row that is not a finite number."""
    for number, value in enumerate(values.split(b" "), 1):
        parsed = parse_rows([value], 1)
        if parsed is None or not np.isfinite(parsed).all():
            return f"{value.decode(errors='replace')!r} as value {number}"
    return "a value that is not a finite number"
