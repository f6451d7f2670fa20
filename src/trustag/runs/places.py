"""Where the sentences of a run stand in the files of the user, kept beside the corpus that the run took in."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.json_records import read_json_lines, write_json_line
from trustag.files.outputs import new_file
from trustag.text.numbers import Count
from trustag.text.sentences import Sentence, Source


class _Place(Struct, frozen=True, omit_defaults=True):
    """A line of the file; one without a file stands for a sentence that comes from nowhere."""

    file: str = ""
    line: Count | None = None
    token_lines: bool = False
    is_record: bool = False


def write_places(path: Path, sentences: Sequence[Sentence]) -> None:
    """Write a line for each sentence: the file and the line, or the record, that it comes from."""
    with new_file(path, overwrite=True) as stream:
        for sentence in sentences:
            place = (
                _Place() if sentence.source is None else msgspec.convert(sentence.source, _Place, from_attributes=True)
            )
            write_json_line(stream, msgspec.to_builtins(place))


def with_places(path: Path, sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the sentences of a run with the places that they come from, as :func:`write_places` noted them.

    Runs of earlier versions noted none: their sentences stand where they were read.
    """
    if not path.exists():
        return tuple(sentences)
    places = [place for _, place in read_json_lines(InputFile(path), _Place)]
    if len(places) != len(sentences):
        raise InputError(
            f"has {len(places):,} places for {len(sentences):,} sentences",
            where=path,
            remedy="take the file the run wrote, or remove it",
        )
    return tuple(
        msgspec.structs.replace(sentence, source=_source(place))
        for sentence, place in zip(sentences, places, strict=True)
    )


def _source(place: _Place) -> Source | None:
    return Source(place.file, place.line, place.token_lines, place.is_record) if place.file else None
