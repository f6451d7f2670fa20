"""JSON Lines with tokens and tags: ``{"tokens": ["EU", ...], "ner_tags": ["B-ORG", ...]}``, one sentence per line.

This format can store everything that a sentence contains. The key of the tags is ``ner_tags``, ``tags`` or ``labels``
(the first of these in a record). Tags are names, numbers, or null for an unknown label. Names may be types without
positions (``PER``), if all of them are. Numbers need names: a record may give them as ``"names": [...]``, for itself
and all records after it; otherwise they are read from a file in the same folder, ``STEM.names.json`` for
``STEM.jsonl``, ``label2id.json`` or ``id2label.json``. The numbers -100 and -1 are unknown labels. A file may also
contain one array of such records.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import STANDARD_STREAM, InputFile
from trustag.files.json_records import read_json_records, write_json_line
from trustag.files.spelled_tags import SpelledTags
from trustag.files.stored_tags import Names, StoredTags, read_names
from trustag.files.tally import Tally
from trustag.files.token_records import RecordReader, record_of
from trustag.notes import Watch
from trustag.text.sentences import Sentence, Source


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    name = file.name
    tally = Tally(name)
    tags, gold = (StoredTags(lambda: _names_beside(file), SpelledTags(name, watch)) for _ in range(2))
    reader = RecordReader(tally, tags, gold, unlabelled=options.unlabelled)
    for line, fields in read_json_records(file, dict[str, Any]):
        sentence = reader.sentence(fields, Source(name, line))
        if sentence is not None:
            yield sentence
    tally.report(watch)


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    for sentence in sentences:
        write_json_line(stream, record_of(sentence))


def _names_beside(file: InputFile) -> Names:
    if file.name != InputFile(STANDARD_STREAM).name:
        folder = file.path.parent
        stem = Path(file.path.name.removesuffix(".gz")).stem
        for name in (f"{stem}.names.json", "label2id.json", "id2label.json"):
            if (folder / name).is_file():
                return read_names(folder / name)
    raise InputError(
        "the tags are numbers without names",
        where=file.name,
        remedy='add "names": [...] to the first record, or a file label2id.json to the same folder',
    )


FORMAT: Final = FileFormat(
    name="jsonl",
    summary='JSON Lines with tokens: {"tokens": [...], "ner_tags": [...]} and everything else in a sentence',
    suffixes=(".jsonl", ".ndjson"),
    room=frozenset(
        {"gold", "unknown", "tags", "token_sources", "columns", "id", "document", "comments", "gaps", "empty"}
    ),
    read=_read,
    write=_write,
)
