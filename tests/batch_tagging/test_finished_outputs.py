"""Finished outputs hold the same records as the lines, whatever their form."""

import gzip
import io
import json
from pathlib import Path

import pytest
from pyarrow import parquet

from trustag.batch_tagging.finished_outputs import finish, write_table
from trustag.batch_tagging.part_files import resumed

ENTITY = {"start": 0, "end": 1, "text": "😀", "label": "X", "score": 0.123456789}
RECORDS = [
    {"text": "😀 b", "tokens": ["😀", "b"], "ner_tags": ["B-X", "O"], "entities": [ENTITY]},
    {"text": "", "tokens": [], "ner_tags": [], "entities": []},
]
LINES = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.parquet"])
def test_records_are_those_of_the_lines_and_nothing_else_is_left(tmp_path: Path, name: str) -> None:
    output = tmp_path / name
    with resumed(output, {}, overwrite=False) as part:
        part.stream.write(LINES)
    finish(output, overwrite=False)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    if name.endswith(".parquet"):
        assert parquet.read_table(output).to_pylist() == RECORDS
    else:
        assert (gzip.decompress(output.read_bytes()) if name.endswith(".gz") else output.read_bytes()) == LINES


def test_a_table_of_many_rows_is_written_in_parts() -> None:
    target = io.BytesIO()
    write_table(io.BytesIO(LINES * 5000), target)
    found = parquet.ParquetFile(target)
    assert (found.metadata.num_rows, found.num_row_groups) == (10_000, 3)
