"""One Parquet file with one sentence per row, as ``datasets`` and dataframe libraries read and write it.

``load_dataset("parquet", data_files=...)`` finds the names of the tags in the file. Unknown labels are -100.
"""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from trustag.files.arrow_tables import import_pyarrow, read_table
from trustag.files.arrow_writing import arrow_batches, arrow_schema, buffer_rows, features
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.hugging_face import ROOM
from trustag.files.inputs import InputFile
from trustag.files.stored_tags import outside_first
from trustag.notes import Watch
from trustag.text.sentences import Sentence


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    yield from read_table(file, None, watch, options)


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    pa = import_pyarrow()
    tags = outside_first(options.tags)
    with tempfile.TemporaryDirectory() as scratch:
        part = buffer_rows(sentences, Path(scratch) / "rows", tags)
        schema = arrow_schema(features([part], tags))
        with pa.parquet.ParquetWriter(stream, schema) as writer:
            for batch in arrow_batches(part, schema):
                writer.write_batch(batch)


FORMAT: Final = FileFormat(
    name="parquet",
    summary="Parquet file with the columns tokens and ner_tags, as in Hugging Face datasets",
    suffixes=(".parquet",),
    room=ROOM,
    read=_read,
    write=_write,
    needs_tags=True,
)
