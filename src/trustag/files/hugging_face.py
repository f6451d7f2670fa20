"""Hugging Face datasets on disk: folders written by ``save_to_disk``, folders of Parquet files, single tables.

A sentence is a row with ``tokens`` and ``ner_tags`` (or ``tags`` or ``labels``); gold labels are in ``gold_tags``.
Additional columns with one string per token are kept. The validation split is called dev here. Unknown labels are -100,
as usual for such datasets. Nothing is downloaded and no cache is used: only pyarrow reads the files.
"""

import hashlib
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from trustag.errors import InputError
from trustag.files.arrow_tables import features_of, import_pyarrow, read_table
from trustag.files.arrow_writing import BufferedRows, arrow_batches, arrow_schema, buffer_rows, features
from trustag.files.formats import FolderFormat, ReadOptions, Room, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode
from trustag.files.splits import split_of
from trustag.files.stored_tags import outside_first
from trustag.notes import Watch
from trustag.text.sentences import Sentence, Source

ROOM: Final[frozenset[Room]] = frozenset(
    {"gold", "unknown", "tags", "token_sources", "columns", "id", "document", "comments", "gaps", "empty"}
)
_INFO: Final = "dataset_info.json"
_STATE: Final = "state.json"
_DICT: Final = "dataset_dict.json"
_TABLE: Final = "data-00000-of-00001.arrow"
_OURS: Final = {"validation": "dev", "valid": "dev", "val": "dev"}
_SPLIT_NAME: Final = re.compile(r"\w+(\.\w+)*")


class _DataFile(msgspec.Struct):
    filename: str


class _State(msgspec.Struct):
    data_files: list[_DataFile] = msgspec.field(name="_data_files")
    indices_files: list[Any] | None = msgspec.field(name="_indices_data_files", default=None)
    split: str | None = msgspec.field(name="_split", default=None)


class _SavedDict(msgspec.Struct):
    splits: list[str]


def _splits(path: Path) -> list[str]:
    return list(_tables(path))


def _tables(path: Path) -> dict[str, list[Path]]:
    """Return the table files of each split of a dataset on disk."""
    if path.is_file():
        return {split_of(path.name) or "train": [path]}
    if (path / _DICT).is_file():
        names = _decoded(path / _DICT, _SavedDict).splits
        ours = [_OURS.get(name, name) for name in names]
        # If two names mean the same split, both keep their own name.
        return {
            name if ours.count(our) > 1 else our: _saved_tables(path / name)
            for name, our in zip(names, ours, strict=True)
        }
    if (path / _STATE).is_file():
        split = _decoded(path / _STATE, _State).split or "train"
        return {split_of(split) or "train": _saved_tables(path)}
    return _loose_tables(path)


def _saved_tables(folder: Path) -> list[Path]:
    state = _decoded(folder / _STATE, _State)
    if state.indices_files:
        raise InputError(
            "an index file reorders the rows", where=folder / _STATE, remedy="call flatten_indices() before saving"
        )
    # Only the file name: a file in another folder is not part of this dataset.
    return [folder / Path(file.filename).name for file in state.data_files]


def _loose_tables(folder: Path) -> dict[str, list[Path]]:
    """Return the tables in the layouts of the Hub, by the split in their name or that of their folder."""
    splits = {
        file: split_of(file.name) or (None if file.parent == base else split_of(file.parent.name))
        for base in (folder, folder / "data")
        for pattern in ("*.parquet", "*.arrow", "*/*.parquet")
        for file in sorted(base.glob(pattern))
        if file.parent == base or split_of(file.parent.name)
    }
    tables: dict[str, list[Path]] = {}
    for file, split in splits.items():
        tables.setdefault(split or (file.stem if any(splits.values()) else "train"), []).append(file)
    return tables


def _read(path: Path, split: str, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    tables = _tables(path)
    if split not in tables:
        found = f"only {', '.join(tables)}" if tables else "no saved dataset and no Parquet file"
        raise InputError(f"no split {split!r}, {found}", where=path, remedy="choose an existing split")
    for table in tables[split]:
        info = table.parent / _INFO
        described = features_of(_decoded(info, dict[str, Any])) if info.is_file() else None
        yield from read_table(InputFile(table), described or None, watch, options)


def _decoded(path: Path, record_type: type[Any]) -> Any:
    file = InputFile(path)
    return decode(file.text(), record_type, Source(file.name), remedy="save the dataset again")


def _write(splits: Mapping[str, Iterable[Sentence]], folder: Path, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    tags = outside_first(options.tags)
    names = {split: "validation" if split == "dev" else split for split in splits}
    for split, name in names.items():
        if not _SPLIT_NAME.fullmatch(name) or list(names.values()).count(name) > 1:
            raise InputError(f"this format has no split {split!r}", where=folder, remedy="use train, dev or test")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        parts = {
            names[split]: buffer_rows(sentences, Path(scratch) / names[split], tags)
            for split, sentences in splits.items()
        }
        columns = features(parts.values(), tags)
        for name, part in parts.items():
            _write_split(name, part, folder / name, columns)
    _write_json(folder / _DICT, {"splits": list(parts)})


def _write_split(name: str, part: BufferedRows, folder: Path, columns: dict[str, Any]) -> None:
    pa = import_pyarrow()
    folder.mkdir()
    schema = arrow_schema(columns)
    with pa.OSFile(str(folder / _TABLE), "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
        for batch in arrow_batches(part, schema):
            writer.write_batch(batch)
    with (folder / _TABLE).open("rb") as stream:
        # ``datasets`` uses the fingerprint as a cache key, so it must depend on the content.
        fingerprint = hashlib.file_digest(stream, "sha256").hexdigest()[:16]
    state: dict[str, object] = {
        "_data_files": [{"filename": _TABLE}],
        "_fingerprint": fingerprint,
        "_format_columns": None,
        "_format_kwargs": {},
        "_format_type": None,
        "_output_all_columns": False,
        "_split": name,
    }
    _write_json(folder / _STATE, state)
    _write_json(folder / _INFO, {"citation": "", "description": "", "features": columns, "homepage": "", "license": ""})


def _write_json(path: Path, value: object) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


FORMAT: Final = FolderFormat(
    name="hf",
    summary="Hugging Face dataset: a folder written by save_to_disk, a folder of Parquet files, or one table",
    room=ROOM,
    splits=_splits,
    read=_read,
    write=_write,
    needs_tags=True,
)
