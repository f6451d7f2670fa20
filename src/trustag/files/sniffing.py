"""Detect the format of a file or folder from its name and its first bytes; an unclear format is an error."""

import codecs
import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

from trustag.errors import InputError
from trustag.files.csv_dialect import is_table
from trustag.files.entity_lists import ENTITY_KEYS
from trustag.files.inputs import STANDARD_STREAM, InputFile
from trustag.files.line_shapes import is_conll, looks_like_json
from trustag.files.raw_texts import TEXT_KEYS
from trustag.files.splits import split_of
from trustag.files.token_records import TAG_KEYS

PLAIN_TEXT: Final = "text"
_HEAD_BYTES: Final = 1 << 20
_BY_SUFFIX: Final = {".spacy": "spacy", ".parquet": "parquet", ".arrow": "hf"}
_BY_MAGIC: Final = {b"PAR1": "parquet", b"ARROW1": "hf", b"x\x9c": "spacy"}
# In Label Studio's short export, a text without entities has no list of regions and needs these keys to be recognised.
_SHORT_TASK_KEYS: Final = frozenset({"text", "annotator", "annotation_id"})
_DOCCANO_KEYS: Final = {"label", "labels", "annotations", "entities"}
_MARKS_OF_TOOLS: Final = frozenset({"data", "tokens", "answer", "_task_hash", "annotation_id"})
_FENCE: Final = re.compile(r"^```(?:json\w*)?[ \t]*\r?\n\s*(?=[{\[])", re.MULTILINE)
_ANSWER: Final = re.compile(r"\s*(?:```[\w-]*)?\s*[{\[]")
_BETWEEN_RECORDS: Final = re.compile(r"[\s,]*")


def sniff(file: InputFile) -> str:
    """Return the name of the format of ``file``, a labelled corpus, which may also be a folder."""
    if file.path != STANDARD_STREAM and file.path.is_dir():
        return _sniff_folder(file.path)
    found = _by_name(file) or _by_magic(head := _head(file)) or _by_records(head, file.name)
    if found is not None:
        return found
    if ".json" in _suffix(file):
        raise _no_record(file.name)
    return "csv" if _is_csv(file, _decoded(head, file.encoding)) else "conll"


def sniff_texts(file: InputFile, head: bytes | None = None) -> str:
    """Return the name of the format of ``file``, whose labels may be missing; ``text`` means lines of plain text.

    ``head`` is how a stream starts that cannot be read twice. A file that looks like a format but does not fit it is an
    error, and is never taken for plain text.
    """
    if file.path != STANDARD_STREAM and file.path.is_dir():
        return _sniff_folder(file.path)
    found = _by_name(file)
    if found is not None:
        return found
    head = _head(file) if head is None else head
    found = _by_magic(head) or _by_records(head, file.name, labelled=False)
    if found is not None:
        return found
    text = _decoded(head, file.encoding)
    if ".json" in _suffix(file) or looks_like_json(text):
        raise _no_record(file.name)
    if _is_csv(file, text, unlabelled=True):
        return "csv"
    return "conll" if is_conll(text, file.name) else PLAIN_TEXT


def _is_csv(file: InputFile, text: str, *, unlabelled: bool = False) -> bool:
    return _suffix(file).endswith(".csv") or is_table(text, unlabelled=unlabelled)


def _suffix(file: InputFile) -> str:
    return "".join(file.path.suffixes[-2:]).removesuffix(".gz")


def _head(file: InputFile) -> bytes:
    with file.open_bytes() as stream:
        return stream.read(_HEAD_BYTES)


def _decoded(head: bytes, encoding: str) -> str:
    """Return the text of a head that may end inside a character; an unknown encoding is reported when reading."""
    try:
        text = codecs.getincrementaldecoder(encoding)(errors="replace").decode(head)
    except (LookupError, ValueError):
        text = head.decode("utf-8", errors="replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _by_name(file: InputFile) -> str | None:
    return _BY_SUFFIX.get(_suffix(file)) or _BY_SUFFIX.get(file.path.suffix)


def _by_magic(head: bytes) -> str | None:
    return next((name for magic, name in _BY_MAGIC.items() if head.startswith(magic)), None)


def _by_records(head: bytes, name: str, *, labelled: bool = True) -> str | None:
    records = _records(head)
    record = next(records, None)
    if record is None:
        return None
    if not labelled and record.keys() & {*TEXT_KEYS} and not record.keys() & {*ENTITY_KEYS, *_MARKS_OF_TOOLS}:
        return "entities"
    return _format_of_record(record, records, name)


def _no_record(name: str) -> InputError:
    remedy = "choose the format with --from, for example --from text for plain text"
    return InputError("no complete JSON record at the start", where=f"{name}:1", remedy=remedy)


def _sniff_folder(folder: Path) -> str:
    names = {path.name for path in folder.iterdir()}
    if {"dataset_dict.json", "dataset_info.json", "state.json"} & names or list(folder.rglob("*.parquet")):
        return "hf"
    if "tag_to_id.json" in names:
        return "bond"
    if any(name.endswith("_text.txt") for name in names):
        return "roster"
    if list(folder.glob("*.ann")) or list(folder.glob("*/*.ann")):
        return "brat"
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and split_of(path.name)]
    if not files:
        raise InputError(
            "contains no train, dev or test file", where=folder, remedy="give a file, or choose the format with --from"
        )
    return sniff(InputFile(files[0]))


def _records(head: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects at the start of ``head``, one after the other or in an array."""
    text = _unfenced(head.decode("utf-8-sig", errors="replace").lstrip())
    position = 1 if text[:1] == "[" else 0
    while True:
        position = cast("re.Match[str]", _BETWEEN_RECORDS.match(text, position)).end()
        if text[position : position + 1] != "{":
            return
        try:
            record, position = json.JSONDecoder().raw_decode(text, position)
        except (ValueError, RecursionError):
            return
        yield record


def _unfenced(text: str) -> str:
    """Return what follows the first Markdown fence of JSON in ``text``, or ``text`` if there is none."""
    found = _FENCE.search(text)
    return text[found.end() :] if found and not text.startswith(("{", "[")) else text


def _format_of_record(record: dict[str, Any], others: Iterator[dict[str, Any]], name: str) -> str:
    """Return the format of a file that starts with ``record``; ``others`` are used if that one has no entities."""
    keys = set(record)
    if "tokenized_text" in keys:
        return "gliner"
    if "str_words" in keys:
        return "bond"
    if isinstance(record.get("data"), dict) or _holds_dicts(record.get("label")) or keys >= _SHORT_TASK_KEYS:
        return "label-studio"
    if keys & {*TEXT_KEYS}:
        entries = next(filter(None, map(_entries, chain([record], others))), None)
        if entries is not None and not _is_of_a_tool(*entries):
            return "entities"
    if isinstance(record.get("text"), str) and (
        keys & {"spans", "answer", "_task_hash"} or _holds_dicts(record.get("tokens"))
    ):
        return "prodigy"
    if keys & {"text", "data"} and keys & _DOCCANO_KEYS:
        return "doccano"
    if "tokens" in keys:
        return "spert" if "entities" in keys and not keys & {*TAG_KEYS} else "jsonl"
    shown = ", ".join(sorted(keys)[:8]) or "none"
    raise InputError(
        f"JSON records of an unknown format (keys: {shown})", where=f"{name}:1", remedy="choose the format with --from"
    )


def _entries(record: dict[str, Any]) -> tuple[str, object] | None:
    """Return the key under which a record lists entities, and the first entity, or ``None`` if it has none."""
    for key in ENTITY_KEYS:
        listed = record.get(key)
        if isinstance(listed, str) and _ANSWER.match(listed):
            return key, {"text": listed}
        first = listed[0] if isinstance(listed, list) and listed else listed
        if first and isinstance(first, list | dict):
            return key, first
    return None


def _is_of_a_tool(key: str, first: object) -> bool:
    """Tell whether the first entity under a key has the form that Prodigy or doccano writes there."""
    if isinstance(first, dict):
        return bool({*first} & ({"start", "token_start"} if key == "spans" else {"start_offset"}))
    return key in _DOCCANO_KEYS and isinstance(first, list) and isinstance(first[0], int)


def _holds_dicts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
