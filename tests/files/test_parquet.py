"""One Parquet file: pyarrow itself reads the rows, and nothing of a sentence is lost on the way there and back."""

import io
from pathlib import Path

import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.files.rich import TAGS, rich_sentences, without_sources
from tests.files.scratch import scratch_file
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.files.parquet import FORMAT
from trustag.notes import Note
from trustag.text.sentences import Sentence


def written(sentences: list[Sentence], tags: tuple[str, ...]) -> bytes:
    stream = io.BytesIO()
    FORMAT.write(iter(sentences), stream, WriteOptions(tags=tags), lambda _: None)
    return stream.getvalue()


@settings(max_examples=30)
@given(st.lists(rich_sentences(), max_size=3))
def test_sentences_come_back_without_a_note(sentences: list[Sentence]) -> None:
    notes: list[Note] = []
    with scratch_file(written(sentences, TAGS), "a.parquet") as file:
        assert without_sources(FORMAT.read(file, ReadOptions(), notes.append)) == sentences
    assert notes == []


def test_another_reader_sees_numbers_with_the_outside_label_first(tmp_path: Path) -> None:
    sentence = Sentence(("Ann", "ran"), ("B-PER", "O"))
    (tmp_path / "a.parquet").write_bytes(written([sentence], ("B-PER", "I-PER", "O")))
    assert pq.read_table(tmp_path / "a.parquet").to_pylist() == [{"tokens": ["Ann", "ran"], "ner_tags": [1, 0]}]
