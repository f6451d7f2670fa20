"""Read and write JSON record by record; every record comes with its line number, and errors name their line.

A file may contain one record per line (JSON Lines), an array of records, or a single record.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any, BinaryIO, Final, NoReturn, TypeVar, cast

import msgspec

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.text.sentences import Source

T = TypeVar("T")

_BYTE: Final = re.compile(r" \(byte (\d+)\)$")
_FENCED: Final = re.compile(r"\s*```[\w-]*\s*(.*?)\s*```\s*", re.DOTALL)
_LONE_SURROGATE: Final = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])")
FENCE: Final = "```"
"""The mark with which Markdown begins and ends text that is not prose."""
_REMEDIES: Final = {
    "lines": "write one complete JSON value on each line",
    "array": "write one complete JSON array",
    "object": "write one complete JSON value",
}


def read_json_lines(file: InputFile, record_type: type[T]) -> Iterator[tuple[int, T]]:
    """Yield each record of a JSON Lines file with its line number; blank lines are skipped."""
    for line, text in _filled_lines(file):
        yield line, decode(text, record_type, Source(file.name, line), remedy=_REMEDIES["lines"])


def read_json_array(file: InputFile, record_type: type[T]) -> Iterator[tuple[int, T]]:
    """Yield each element of a file that contains one JSON array, with the line on which it starts."""
    lines = _filled_lines(file)
    first, text = next(lines)
    yield from _elements(file, record_type, first, _rejoined(first, text, lines))


def read_json_records(
    file: InputFile, record_type: type[T], beside: Callable[[str], None] | None = None
) -> Iterator[tuple[int, T]]:
    """Yield each record, with its line, of a file that is JSON Lines, a JSON array, or one JSON object.

    It may also contain any number of these in Markdown fences, as language models write them. The first non-blank line
    decides: ``[`` starts an array, a complete JSON value means JSON Lines, and anything else starts an object that
    spans several lines. Records are never arrays themselves. Lines outside of all fences go to ``beside``; without that
    they are an error.
    """
    for lines in _blocks(file, beside):
        yield from _block_records(file, record_type, lines)


def _block_records(file: InputFile, record_type: type[T], lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, T]]:
    first, text = next(lines)
    if text.lstrip().startswith("["):
        yield from _elements(file, record_type, first, _rejoined(first, text, lines))
    elif _is_whole(text):
        for line, record in chain([(first, text)], lines):
            yield line, decode(record, record_type, Source(file.name, line), remedy=_REMEDIES["lines"])
    else:
        whole = _rejoined(first, text, lines)
        yield first, decode(whole, record_type, Source(file.name, first), remedy=_REMEDIES["object"])


def decode(data: str | bytes | msgspec.Raw, record_type: type[T], where: Source, *, remedy: str = "") -> T:
    """Return the value of type ``record_type`` in the JSON ``data``; anything else is an error at ``where``.

    ``where`` is the line on which ``data`` starts; errors that the parser can locate are reported with their own line.
    """
    try:
        encoded = data.encode() if isinstance(data, str) else bytes(data)
    except UnicodeEncodeError:
        raise InputError("an unpaired surrogate, which is not a character", where=where, remedy=remedy) from None
    try:
        return cast("T", _decoder(cast("Hashable", record_type)).decode(encoded))
    except RecursionError:
        raise InputError("JSON is nested too deeply", where=where, remedy="flatten the record") from None
    except UnicodeDecodeError:
        raise InputError("JSON is not valid UTF-8", where=where, remedy="save it in UTF-8") from None
    except msgspec.ValidationError as error:
        raise InputError(str(error), where=where, remedy="correct the value to what this format expects") from None
    except msgspec.DecodeError as error:
        _refuse_malformed(str(error), encoded, where, remedy)


def unfenced(text: str) -> str:
    r"""Return ``text`` without the Markdown fence around it, if it has one.

    >>> unfenced("```json\n[1]\n```"), unfenced("[1]")
    ('[1]', '[1]')
    """
    found = _FENCED.fullmatch(text)
    return found[1] if found else text


def is_given(value: msgspec.Raw) -> bool:
    """Tell whether a raw JSON field is present and not null; the default of such fields in structs is empty.

    >>> is_given(msgspec.Raw()), is_given(msgspec.Raw(b"null")), is_given(msgspec.Raw(b"0"))
    (False, False, True)
    """
    return bytes(value) not in {b"", b"null"}


def write_json_line(stream: BinaryIO, value: object) -> None:
    """Write ``value`` as one line of JSON."""
    stream.write(_encoded(value) + b"\n")


def write_json_array(stream: BinaryIO, values: Iterable[object]) -> None:
    """Write ``values`` as a JSON array, one element per line, with only one element in memory at a time."""
    separator = b"[\n"
    for value in values:
        stream.write(separator + _encoded(value))
        separator = b",\n"
    stream.write(b"[]\n" if separator == b"[\n" else b"\n]\n")


def _encoded(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        raise InputError("an unpaired surrogate cannot be written", remedy="repair the text first") from None


def _filled_lines(file: InputFile) -> Iterator[tuple[int, str]]:
    """Yield the non-blank lines with their numbers; a file without any is an error."""
    empty = True
    for number, text in enumerate(file.lines(), start=1):
        if text and not text.isspace():
            empty = False
            yield number, text
    if empty:
        raise InputError("the file is empty", where=file.name, remedy="give a file with at least one record")


def _blocks(file: InputFile, beside: Callable[[str], None] | None) -> Iterator[Iterator[tuple[int, str]]]:
    """Yield the lines of each Markdown fence of a file, or all lines if there are no fences."""
    lines = _filled_lines(file)
    first = next(lines)
    if first[1].lstrip()[:1] in {"{", "["}:
        yield chain([first], lines)
        return
    rest = list(lines)
    if any(text.lstrip().startswith(FENCE) for _, text in (first, *rest)):
        yield from map(iter, _fenced([first, *rest], file.name, beside))
    else:
        yield iter([first, *rest])


def _fenced(
    lines: list[tuple[int, str]], name: str, beside: Callable[[str], None] | None
) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines inside each fence; other lines go to ``beside``, or are an error."""
    inside: list[tuple[int, str]] | None = None
    opened = 0
    for number, text in lines:
        if text.lstrip().startswith(FENCE):
            if inside:
                yield inside
            inside, opened = ([], number) if inside is None else (None, 0)
        elif inside is None and beside is not None:
            beside(text.strip())
        elif inside is None:
            raise InputError("text outside the Markdown fences", where=f"{name}:{number}", remedy="delete the line")
        else:
            inside.append((number, text))
    if inside is not None:
        raise InputError("the Markdown fence is not closed", where=f"{name}:{opened}", remedy=f"add {FENCE} at its end")


def _rejoined(first: int, text: str, rest: Iterable[tuple[int, str]]) -> str:
    """Return the text of these lines, with newlines in place of the blank lines between them."""
    pieces = [text]
    before = first
    for number, line in rest:
        pieces.append("\n" * (number - before))
        pieces.append(line)
        before = number
    return "".join(pieces)


def _is_whole(text: str) -> bool:
    try:
        _decoder(msgspec.Raw).decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return False
    return True


def _elements(file: InputFile, record_type: type[T], first: int, text: str) -> Iterator[tuple[int, T]]:
    data = text.encode(errors="surrogatepass")
    elements = decode(data, list[msgspec.Raw], Source(file.name, first), remedy=_REMEDIES["array"])
    line, position = first, 0
    for element in elements:
        raw = bytes(element)
        # Only whitespace and a comma precede an element, so the first match is the element itself.
        start = data.index(raw, position)
        line += data.count(b"\n", position, start)
        yield line, decode(raw, record_type, Source(file.name, line))
        line += raw.count(b"\n")
        position = start + len(raw)


@lru_cache(maxsize=64)
def _decoder(record_type: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(record_type)


def _refuse_malformed(message: str, data: bytes, where: Source, remedy: str) -> NoReturn:
    # msgspec reports truncated data if the second half of a surrogate pair is missing.
    if "surrogate" in message or ("truncated" in message and _LONE_SURROGATE.search(data)):
        raise InputError("an unpaired surrogate, which is not a character", where=where, remedy=remedy) from None
    found = _BYTE.search(message)
    if found:
        before = data[: int(found[1])]
        line = (where.line or 1) + before.count(b"\n")
        column = len(before) - (before.rfind(b"\n") + 1) + 1
        finding = f"{_BYTE.sub('', message)} near byte {column} of the line"
    else:
        line = (where.line or 1) + data.count(b"\n")
        finding = "JSON is malformed: unexpected end"
    location = where if where.line is None else Source(where.file, line)
    raise InputError(finding, where=location, remedy=remedy) from None
