"""Tables are read as their columns say, whichever file format holds them; further columns are kept or counted."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.files.arrow_tables import COLUMN_PREFIX, features_of, read_table
from trustag.files.inputs import InputFile
from trustag.notes import Note
from trustag.text.sentences import Sentence, Source

NAMES = ["O", "B-PER"]
CLASS = {"feature": {"names": NAMES, "_type": "ClassLabel"}, "_type": "Sequence"}


def written(
    folder: Path, columns: dict[str, Any], form: str = "parquet", features: dict[str, Any] | None = None
) -> Path:
    table = pa.table(columns)
    if features is not None:
        table = table.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})
    path = folder / f"table.{form}"
    if form == "parquet":
        pq.write_table(table, path)
    else:
        opened = pa.ipc.new_file if form == "file" else pa.ipc.new_stream
        with path.open("wb") as stream, opened(stream, table.schema) as writer:
            writer.write_table(table)
    return path


def read(path: Path, features: dict[str, Any] | None = None) -> tuple[list[Sentence], list[str]]:
    notes: list[Note] = []
    found = list(read_table(InputFile(path, shown_as="t"), features, notes.append))
    return found, sorted(note.detail for note in notes)


COLUMNS: dict[str, Any] = {"tokens": [["a", "b"], ["c"]], "ner_tags": [[1, 0], [-100]]}


@pytest.mark.parametrize("form", ["parquet", "file", "stream"])
def test_every_file_format_gives_the_same_sentences_with_their_rows(form: str, tmp_path: Path) -> None:
    found, notes = read(written(tmp_path, COLUMNS, form, {"ner_tags": CLASS}))
    assert found == [
        Sentence(("a", "b"), ("B-PER", "O"), source=Source("t", 1, is_record=True)),
        Sentence(("c",), (None,), source=Source("t", 2, is_record=True)),
    ]
    assert notes == []


def test_features_from_outside_come_before_those_inside(tmp_path: Path) -> None:
    path = written(tmp_path, COLUMNS, features={"ner_tags": CLASS})
    other = {"ner_tags": [{"names": ["B-LOC", "O"], "_type": "ClassLabel"}]}
    assert read(path, other)[0][0].labels == ("O", "B-LOC")
    assert features_of({"features": other}) == other
    assert features_of({"features": 3}) == features_of(None) == {}


def test_numbers_without_names_are_refused_and_strings_need_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ner_tags"):
        read(written(tmp_path, COLUMNS))
    found, _ = read(written(tmp_path, {"tokens": [["a"]], "tags": [["B-PER"]]}))
    assert found[0].labels == ("B-PER",)


def test_further_columns_are_kept_where_they_fit_the_tokens(tmp_path: Path) -> None:
    more = {
        "pos_tags": [["X", "Y"], ["Z"]],
        f"{COLUMN_PREFIX}id": [["1", "2"], ["3"]],
        "mine": [[1, 0], [0]],
        "ragged": [["1"], ["2"]],
        "score": [0.5, 0.5],
    }
    path = written(tmp_path, COLUMNS | more, features={"ner_tags": CLASS, "mine": CLASS})
    found, notes = read(path)
    assert found[0].columns == {"pos": ("X", "Y"), "id": ("1", "2"), "mine": ("B-PER", "O")}
    assert found[1].columns["ragged"] == ("2",)
    assert len(notes) == 2
    assert any("score" in note for note in notes)
    assert any("ragged" in note for note in notes)


@pytest.mark.parametrize(
    ("columns", "noun"),
    [
        ({"words": [["a"]], "ner_tags": [["O"]]}, "tokens"),
        ({"tokens": [["a"]]}, "ner_tags"),
        ({"tokens": ["a"], "ner_tags": [["O"]]}, "tokens"),
        ({"tokens": [["a"]], "ner_tags": [[0.5]]}, "ner_tags"),
    ],
)
def test_a_table_without_tokens_or_tags_is_refused_by_the_column(
    columns: dict[str, Any], noun: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=f"^t.*{noun}"):
        read(written(tmp_path, columns))


@given(st.binary(max_size=40))
def test_other_bytes_are_refused(data: bytes) -> None:
    with scratch_file(data) as file, pytest.raises(InputError):
        list(read_table(file, None, print))
