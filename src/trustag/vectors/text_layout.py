"""Detect the layout of a file of word vectors from its start: text or binary, header line, values per row."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from trustag.errors import InputError

_SAMPLE_ROWS: Final = 1000
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_NOT_CONTROL_BYTES: Final = bytes([*range(9, 14), *range(32, 256)])
_WORD2VEC_REMEDY: Final = (
    "save it as text first, for example with gensim: "
    "KeyedVectors.load_word2vec_format('FILE', binary=True).save_word2vec_format('FILE.txt')"
)
_FOREIGN: Final = (
    (b"PK\x03\x04", "a zip archive", "unpack it and give the text file in it"),
    (b"\xba\x16\x4f\x2f", "a binary fastText model", "give the text file (.vec) that is published with it"),
    (b"\x93NUMPY", "a numpy array without words", "give a text file with a word at the start of each row"),
    (b"\x89HDF", "an HDF5 file", "save the vectors as text first"),
    (b"\x80\x02", "a pickled object, which is never loaded", "save the vectors as text first"),
    (b"\x80\x03", "a pickled object, which is never loaded", "save the vectors as text first"),
    (b"\x80\x04", "a pickled object, which is never loaded", "save the vectors as text first"),
    (b"\x80\x05", "a pickled object, which is never loaded", "save the vectors as text first"),
    (b"\xff\xfe", "a text in UTF-16", "save it in UTF-8"),
    (b"\xfe\xff", "a text in UTF-16", "save it in UTF-8"),
)


@dataclass(frozen=True, slots=True)
class Header:
    """A first line of two numbers, as in word2vec and fastText files: the number of words and of values per word."""

    words: int
    width: int


@dataclass(frozen=True, slots=True)
class RowLayout:
    """The layout of a file: the number of values per row, and the header, if there is one."""

    width: int
    header: Header | None


def without_mark(head: bytes) -> bytes:
    """Return the start of a file without a byte-order mark."""
    return head.removeprefix(_BYTE_ORDER_MARK)


def read_layout(head: bytes, name: str) -> RowLayout:
    """Return the layout of a file that starts with ``head``; a file that is not text with word vectors is an error.

    The width is that of most rows, so that a word with spaces in the first row does no harm.
    """
    _refuse_foreign(head, name)
    lines = [line for line in head.split(b"\n", _SAMPLE_ROWS + 1)[: _SAMPLE_ROWS + 1] if line.strip()]
    if not lines:
        raise InputError("contains no word vectors: it is empty", where=name, remedy="check the file")
    promised = _two_numbers(lines[0])
    below = Counter(len(line.split()) - 1 for line in lines[1:])
    if promised is not None and _is_header(promised, below):
        if not below:
            raise InputError("contains no word vectors: only a header", where=name, remedy="check the file")
        header, widths = promised, below
    else:
        header, widths = None, Counter([len(lines[0].split()) - 1]) + below
    width = widths.most_common(1)[0][0] if widths else 0
    if width < 1:
        raise InputError(
            "most lines have no values after the word", where=name, remedy="give a file with rows of 'word v1 v2 ...'"
        )
    return RowLayout(width, header)


def _is_header(promised: Header, below: Counter[int]) -> bool:
    """Tell whether the first line is a header, not the first row of vectors with one value."""
    return not below or below.most_common(1)[0][0] != 1 or promised.width == 1


def _two_numbers(line: bytes) -> Header | None:
    fields = line.split()
    if len(fields) == 2 and all(field.isdigit() and len(field) < 19 for field in fields):
        return Header(int(fields[0]), int(fields[1]))
    return None


def _refuse_foreign(head: bytes, name: str) -> None:
    for start, what, remedy in _FOREIGN:
        if head.startswith(start):
            raise InputError(f"is {what}", where=name, remedy=remedy)
    first, _, rest = head.partition(b"\n")
    promised = _two_numbers(first)
    row = rest.partition(b"\n")[0]
    if promised is not None and len(row.split()) != promised.width + 1 and _is_binary(row.partition(b" ")[2]):
        raise InputError("is in word2vec's binary format", where=name, remedy=_WORD2VEC_REMEDY)
    if b"\0" in head:
        raise InputError("is binary, not text", where=name, remedy="give a file with rows of 'word v1 v2 ...'")


def _is_binary(values: bytes) -> bool:
    """Tell whether the values of a row are binary, not text."""
    if values.translate(None, _NOT_CONTROL_BYTES):
        return True
    try:
        values.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False
