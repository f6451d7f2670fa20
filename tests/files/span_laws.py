"""What every format with spans over text must do, whatever its fields are called."""

import io
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.files.scratch import scratch_file
from tests.strategies import sentences, tokens, tokens_with_spaces
from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.notes import Note
from trustag.text.sentences import Sentence

_TYPES = ("PER", "geo-loc", "_", "creative work", "Größe\n")
_WORDS = tokens() | tokens_with_spaces()
_NAMES = st.none() | st.text("ab/. é", max_size=4)


def _named(drawn: tuple[Sentence, str | None, str | None]) -> Sentence:
    return replace(drawn[0], id=drawn[1], document=drawn[2])


def with_names(strategy: st.SearchStrategy[Sentence]) -> st.SearchStrategy[Sentence]:
    return st.tuples(strategy, _NAMES, _NAMES).map(_named)


# Without gaps a token may even be empty; with gaps tokens may touch.
JOINED = with_names(sentences(words=_WORDS | st.just(""), types=_TYPES, min_size=0))
SPACED = with_names(sentences(words=_WORDS, types=_TYPES, min_size=0, gaps=st.text(" \t\r\n\u00a0", max_size=2)))


def read(
    file_format: FileFormat, content: bytes | str | object, options: ReadOptions | None = None
) -> tuple[list[Sentence], list[str]]:
    """Return the sentences and the notes that reading this content gives; other values are turned into JSON first."""
    if not isinstance(content, bytes | str):
        content = json.dumps(content)
    notes: list[Note] = []
    with scratch_file(content, "data.jsonl") as file:
        found = list(file_format.read(file, options or ReadOptions(), notes.append))
    return found, [str(note) for note in notes]


def write(file_format: FileFormat, written: Sequence[Sentence]) -> bytes:
    stream = io.BytesIO()
    notes: list[Note] = []
    file_format.write(iter(written), stream, WriteOptions(), notes.append)
    assert notes == []
    return stream.getvalue()


def refusal(file_format: FileFormat, content: bytes | str | object, options: ReadOptions | None = None) -> str:
    """Return the one line with which this content is refused."""
    with pytest.raises(InputError) as caught:
        read(file_format, content, options)
    complaint = str(caught.value)
    assert "\n" not in complaint
    return complaint


def check_round_trip(file_format: FileFormat, written: Sequence[Sentence]) -> None:
    """Writing and reading changes nothing that the format has room for."""
    found, notes = read(file_format, write(file_format, written))
    assert notes == []
    assert len(found) == len(written)
    for before, after in zip(written, found, strict=True):
        expected = replace(before, source=after.source, gaps=after.gaps)
        assert after == expected
        if "gaps" in file_format.room:
            assert after.text == before.text
            assert after.offsets == before.offsets


_SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(["", "a b", "PER", "-", "accept", "labels"])
)


def records_like(keys: Sequence[str]) -> st.SearchStrategy[Any]:
    """Return JSON values in which the keys of a format occur everywhere, mostly with the wrong values."""
    return st.recursive(
        _SCALARS,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(list(keys)), inner, max_size=5)
            | st.tuples(st.integers(-1, 4), st.integers(-1, 4), st.sampled_from(["PER", "-", ""])).map(list)
        ),
        max_leaves=12,
    )


def check_only_input_errors_escape(file_format: FileFormat, content: bytes | str | object) -> None:
    try:
        found, _ = read(file_format, content)
    except InputError as error:
        complaint = str(error)
        assert complaint.startswith("data.jsonl")
        assert "\n" not in complaint
    else:
        assert all(isinstance(sentence, Sentence) for sentence in found)
