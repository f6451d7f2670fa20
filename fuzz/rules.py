"""The rules for every reader: it yields sentences or raises a one-line error, and sentences survive a round trip."""

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from trustag.errors import InputError
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.jsonl import FORMAT as JSONL
from trustag.notes import Note, Watch, unwatched
from trustag.text.sentences import Sentence


class RuleBroken(AssertionError):  # noqa: N818 - the name says what happened
    """A reader broke one of the rules."""


def check_reading(read: Callable[[Watch], Iterator[Sentence]], scratch: Path) -> bool:
    """Check one call of a reader; return whether the input was accepted, not rejected with a proper error."""
    notes: list[Note] = []
    try:
        found = list(read(notes.append))
    except InputError as error:
        check_line("error", str(error))
        return False
    for note in notes:
        check_line("note", str(note))
    check_survival(found, scratch)
    return True


def check_line(what: str, text: str) -> None:
    """Raise an error if a message is empty or has several lines."""
    if len(text.splitlines()) > 1 or not text:
        raise RuleBroken(f"the {what} is not one line: {text!r}")


def check_survival(found: Sequence[Sentence], scratch: Path) -> None:
    """Write sentences as JSON Lines, read them back and compare."""
    stream = io.BytesIO()
    JSONL.write(found, stream, WriteOptions(), unwatched)
    path = scratch / "written.jsonl"
    path.write_bytes(stream.getvalue())
    back = list(JSONL.read(InputFile(path), ReadOptions(), unwatched)) if found else []
    if [replace(sentence, source=None) for sentence in back] != [replace(sentence, source=None) for sentence in found]:
        raise RuleBroken("what was read changes when it is written as jsonl and read back")
