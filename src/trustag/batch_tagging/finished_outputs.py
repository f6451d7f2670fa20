"""Finished outputs: lines of JSON, packed or not, or a Parquet table of the same records."""

import shutil
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from trustag.batch_tagging.part_files import discard, part_of
from trustag.files.arrow_tables import import_pyarrow
from trustag.files.outputs import new_file

_ROWS: Final = 4096


def is_table(output: Path) -> bool:
    """Return whether an output is to be a Parquet table."""
    return output.suffix.lower() == ".parquet"


def finish(output: Path, *, overwrite: bool) -> None:
    """Turn the lines of an unfinished output into the output."""
    part = part_of(output)
    if not is_table(output) and output.suffix != ".gz":
        part.replace(output)
    else:
        with part.open("rb") as lines, new_file(output, overwrite=overwrite) as target:
            if is_table(output):
                write_table(lines, target)
            else:
                shutil.copyfileobj(lines, target)
    discard(output)


def write_table(lines: BinaryIO, target: BinaryIO) -> None:
    """Write records, one on a line, as a Parquet table, reading a little at a time."""
    pa = import_pyarrow()
    schema = _schema(pa)
    rows: list[dict[str, Any]] = []
    with pa.parquet.ParquetWriter(target, schema) as writer:
        for line in lines:
            rows.append(msgspec.json.decode(line))
            if len(rows) == _ROWS:
                writer.write_batch(pa.RecordBatch.from_pylist(rows, schema))
                rows.clear()
        if rows:
            writer.write_batch(pa.RecordBatch.from_pylist(rows, schema))


def _schema(pa: Any) -> Any:
    names = [("start", pa.int64()), ("end", pa.int64()), ("text", pa.string()), ("label", pa.string())]
    entity = pa.struct([*names, ("score", pa.float64())])
    strings = pa.list_(pa.string())
    return pa.schema(
        [("text", pa.string()), ("tokens", strings), ("ner_tags", strings), ("entities", pa.list_(entity))]
    )
