"""BOND folders: ``train.json``, ``dev.json`` and ``test.json`` with numeric tags, named in ``tag_to_id.json``.

A file is one array of records ``{"str_words": [...], "tags": [...]}``, usually all on one line. Messages therefore give
the number of a record instead of its line. ``<START>`` and ``<STOP>`` in ``tag_to_id.json`` are not labels. Unknown
labels are -100, which BOND itself ignores in training. Gold labels have their own key, ``gold_tags``.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from trustag.errors import InputError
from trustag.files.formats import FolderFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import read_json_array, write_json_array
from trustag.files.spelled_tags import SpelledTags
from trustag.files.splits import split_of
from trustag.files.stored_tags import StoredTags, Tag, TagNumbers, outside_first, read_names
from trustag.files.tally import Tally
from trustag.notes import Watch
from trustag.text.sentences import Sentence, Source

_NAMES: Final = "tag_to_id.json"
_STEMS: Final = {"train": ("train",), "dev": ("dev", "valid"), "test": ("test",)}


class _Record(msgspec.Struct):
    str_words: tuple[str, ...]
    tags: tuple[Tag, ...]
    gold_tags: tuple[Tag, ...] | None = None


_KEYS: Final = frozenset(_Record.__struct_fields__)


def _splits(path: Path) -> list[str]:
    if path.is_file():
        return [split_of(path.name) or "train"]
    return [split for split in _STEMS if _find(path, split)]


def _find(path: Path, split: str) -> Path | None:
    if path.is_file():
        return path
    found = [path / f"{stem}.json" for stem in _STEMS.get(split, ()) if (path / f"{stem}.json").is_file()]
    if len(found) > 1:
        raise InputError(f"both {found[0].name} and {found[1].name} exist", where=path, remedy="keep one of them")
    return found[0] if found else None


def _read(path: Path, split: str, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    found = _find(path, split)
    if found is None:
        raise InputError(f"no file for the split {split!r}", where=path, remedy="a BOND folder has train.json")
    file = InputFile(found)
    tags, gold_tags = (
        StoredTags(lambda: _read_tag_names(found.parent / _NAMES), SpelledTags(file.name, watch)) for _ in range(2)
    )
    tally = Tally(file.name)
    records = read_json_array(file, dict[str, Any])
    for number, (_, fields) in enumerate(records, start=1):
        where = Source(file.name, number)
        # BOND's description says "tag" where its code reads "tags".
        if "tags" not in fields and "tag" in fields:
            fields["tags"] = fields.pop("tag")
        if options.unlabelled and "tags" not in fields and isinstance(fields.get("str_words"), list):
            fields["tags"] = [None] * len(fields["str_words"])
        try:
            record = msgspec.convert(fields, _Record)
        except msgspec.ValidationError as error:
            raise InputError(
                f"record {number}: {error}", where=file.name, remedy='records are {"str_words": [...], "tags": [...]}'
            ) from None
        labels = tags.labels(record.tags, where)
        gold = None if record.gold_tags is None else gold_tags.labels(record.gold_tags, where)
        for key in fields:
            if key not in _KEYS:
                tally.add("left out", "extra key", repr(key))
        yield Sentence(record.str_words, labels, gold, source=where)
    tally.report(watch)


def _read_tag_names(path: Path) -> Mapping[int, str]:
    if not path.is_file():
        raise InputError("the tags are numbers, but this file with their names is missing", where=path, remedy="add it")
    return read_names(path)


def _write(splits: Mapping[str, Iterable[Sentence]], folder: Path, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    tags = outside_first(options.tags)
    numbers = TagNumbers(tags)
    for split, sentences in splits.items():
        if split not in _STEMS:
            raise InputError(f"this format has no split {split!r}", where=folder, remedy="use train, dev or test")
        with (folder / f"{split}.json").open("wb") as stream:
            write_json_array(stream, (_fields(sentence, numbers) for sentence in sentences))
    names = {tag: number for number, tag in enumerate(tags)}
    (folder / _NAMES).write_bytes(msgspec.json.encode(names) + b"\n")


def _fields(sentence: Sentence, numbers: TagNumbers) -> dict[str, object]:
    fields: dict[str, object] = {"str_words": sentence.tokens, "tags": numbers.of(sentence.labels, sentence)}
    if sentence.gold is not None:
        fields["gold_tags"] = numbers.of(sentence.gold, sentence)
    return fields


FORMAT: Final = FolderFormat(
    name="bond",
    summary='BOND folder: train.json with [{"str_words": [...], "tags": [0, ...]}] and tag_to_id.json',
    room=frozenset({"gold", "unknown", "tags", "empty"}),
    splits=_splits,
    read=_read,
    write=_write,
    needs_tags=True,
)
