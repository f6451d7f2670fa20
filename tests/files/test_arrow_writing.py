"""Rows put aside become a table with exactly the columns that hold something, and pyarrow reads the values back."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from trustag.errors import InputError
from trustag.files.arrow_writing import BufferedRows, arrow_batches, arrow_schema, buffer_rows, features
from trustag.text.sentences import Sentence, Source

TAGS = ("O", "B-PER")
PLAIN = Sentence(("a", "b"), ("B-PER", None))
RICH = Sentence(
    ("c",), ("O",), ("B-PER",), ("given",), id="7", document="d", comments=("# x",), gaps=("", " "),
    columns={"pos": ("N",), "id": ("1",), "mine": ("m",)},
)  # fmt: skip


def table(part: BufferedRows) -> pa.Table:
    schema = arrow_schema(features([part], TAGS))
    return pa.Table.from_batches(list(arrow_batches(part, schema)), schema)


def test_a_table_has_the_columns_that_hold_something(tmp_path: Path) -> None:
    part = buffer_rows([PLAIN, PLAIN], tmp_path / "plain", TAGS)
    assert part.rows == 2
    assert part.columns == {"tokens", "ner_tags"}
    assert table(part).to_pylist() == [{"tokens": ["a", "b"], "ner_tags": [1, -100]}] * 2


def test_every_value_of_a_sentence_has_its_cell_and_names_that_are_taken_a_mark(tmp_path: Path) -> None:
    first, second = table(buffer_rows([RICH, PLAIN], tmp_path / "rich", TAGS)).to_pylist()
    expected = {
        "id": "7", "tokens": ["c"], "ner_tags": [0], "gold_tags": [1], "document": "d", "comments": ["# x"],
        "token_sources": ["given"], "gaps": ["", " "], "pos": ["N"], "column:id": ["1"], "mine": ["m"],
    }  # fmt: skip
    assert first == expected
    assert second == dict.fromkeys(expected) | {"tokens": ["a", "b"], "ner_tags": [1, -100]}


def test_the_schema_carries_the_names_of_the_tags(tmp_path: Path) -> None:
    parts = [buffer_rows([own], tmp_path / name, TAGS) for name, own in (("a", PLAIN), ("b", RICH))]
    found = features(parts, TAGS)
    assert set(found) == parts[0].columns | parts[1].columns
    assert (
        found["ner_tags"]["feature"]
        == found["gold_tags"]["feature"]
        == {"names": ["O", "B-PER"], "_type": "ClassLabel"}
    )
    carried = json.loads(arrow_schema(found).metadata[b"huggingface"])
    assert carried == {"info": {"features": found}}


def test_no_rows_are_no_batches_and_many_rows_are_several(tmp_path: Path) -> None:
    empty = buffer_rows([], tmp_path / "empty", TAGS)
    assert table(empty).num_rows == 0
    many = buffer_rows([PLAIN] * 2001, tmp_path / "many", TAGS)
    sizes = [batch.num_rows for batch in arrow_batches(many, arrow_schema(features([many], TAGS)))]
    assert sum(sizes) == 2001
    assert max(sizes) <= 1000


def test_a_label_without_a_number_is_refused_with_its_place(tmp_path: Path) -> None:
    strange = Sentence(("a",), ("B-LOC",), source=Source("file", 3))
    with pytest.raises(InputError, match="file:3.*B-LOC"):
        buffer_rows([PLAIN, strange], tmp_path / "rows", TAGS)
