"""Texts to tag: a text itself, lines of plain text, or a corpus in any format, with or without labels."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from trustag.corpora.locating import DEMO, CorpusOptions, exists, kept_standard_input, locate, locate_file, split_choice
from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions
from trustag.files.inputs import GZIP_MAGIC, STANDARD_STREAM, InputFile
from trustag.files.plain_texts import read_texts, read_tokens, single_text, single_tokens
from trustag.files.registry import FORMATS
from trustag.files.sniffing import PLAIN_TEXT, sniff_texts
from trustag.notes import NO_LABELS, Note, Watch, unwatched
from trustag.text.scripts import unspaced_script
from trustag.text.sentences import Sentence, Source

TOKENS: Final = "tokens"
_PEEKED_BYTES: Final = 1 << 16
_SUFFIXES: Final = (".gz", *(s for known in FORMATS.values() if isinstance(known, FileFormat) for s in known.suffixes))


@dataclass(frozen=True, slots=True)
class PlainReading:
    """How plain text becomes sentences: that of a file, and that of a text which is not in a file."""

    file: Callable[[InputFile, ReadOptions, Watch], Iterator[Sentence]] = read_texts
    text: Callable[[str, ReadOptions, Watch], Iterator[Sentence]] = single_text


_EACH_LINE: Final = PlainReading()


def texts(
    source: str, reading: CorpusOptions, watch: Watch = unwatched, plain: PlainReading = _EACH_LINE
) -> Iterator[Sentence]:
    """Yield the sentences of ``source``: a text of several words, or what ``locate`` takes; labels may be missing.

    ``reading.format`` may also be ``text`` (one text per line, or as ``plain`` says) or ``tokens`` (separated by
    whitespace). If it is ``auto``, the content decides, and what looks like a format is never read as plain text.
    """
    reading = replace(reading, options=replace(reading.options, unlabelled=True))

    def watch_texts(note: Note) -> None:
        if note.reason != NO_LABELS:
            watch(note)

    yield from _texts(source, reading, watch_texts, plain)


def _texts(source: str, reading: CorpusOptions, watch: Watch, plain: PlainReading) -> Iterator[Sentence]:
    base, _ = split_choice(source)
    if base == DEMO:
        yield from locate(source, reading).only_stream()(watch)
    elif source == str(STANDARD_STREAM):
        yield from _streamed(reading, watch, plain)
    elif exists(base):
        file = InputFile(Path(base), reading.encoding)
        found = _format(file, reading, watch)
        if found in {PLAIN_TEXT, TOKENS}:
            yield from _plain(file, found, reading, watch, plain)
        else:
            yield from locate(source, replace(reading, format=found)).only_stream()(watch)
    elif not _is_text(source):
        remedy = "check the path; a text to tag has several words, in quotes; single words can be piped to -"
        raise InputError("no such file or folder", where=source, remedy=remedy)
    elif reading.format == TOKENS:
        yield from single_tokens(source)
    else:
        yield from plain.text(source, reading.options, watch)


def _is_text(source: str) -> bool:
    """Tell whether an argument that is not a file is a text itself rather than the name of a missing file."""
    return (len(source.split()) > 1 or unspaced_script(source) is not None) and not source.endswith(_SUFFIXES)


def _streamed(reading: CorpusOptions, watch: Watch, plain: PlainReading) -> Iterator[Sentence]:
    """Yield the sentences of standard input; plain text is read line by line as it arrives."""
    stream = InputFile(STANDARD_STREAM, reading.encoding)
    found = _format_of_stream(stream) if reading.format == "auto" else reading.format
    if found in {PLAIN_TEXT, TOKENS}:
        yield from _plain(stream, found, reading, watch, plain)
        return
    kept = kept_standard_input(reading.encoding)
    found = _format(kept, reading, watch)
    if found in {PLAIN_TEXT, TOKENS}:
        yield from _plain(kept, found, reading, watch, plain)
    else:
        located = locate_file(stream.name, kept, replace(reading, format=found))
        yield from located.only_stream()(watch)


def _plain(
    file: InputFile, found: str | None, reading: CorpusOptions, watch: Watch, plain: PlainReading
) -> Iterator[Sentence]:
    read = read_tokens if found == TOKENS else plain.file
    yield from read(file, reading.options, watch)


def _format_of_stream(stream: InputFile) -> str | None:
    """Return ``text`` if what has arrived on standard input is plain text for certain, else ``None``."""
    peek = getattr(sys.stdin.buffer, "peek", None)
    head = b"" if peek is None else peek(_PEEKED_BYTES)
    if not head or head.startswith(GZIP_MAGIC):
        return None
    try:
        return sniff_texts(stream, head)
    except InputError:
        return None  # all of the input may tell more


def _format(file: InputFile, reading: CorpusOptions, watch: Watch) -> str:
    if reading.format != "auto":
        return reading.format
    if reading.options.columns is not None:
        return "conll"
    found = sniff_texts(file)
    if found != PLAIN_TEXT:
        detail = f"read as {found}; --from text reads every line as a text instead"
        watch(Note("info", "format", detail, Source(file.name)))
    return found
