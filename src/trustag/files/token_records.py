"""Convert records with tokens and tags, as in JSON Lines and tables, to sentences and back.

A record has ``tokens``, and tags under ``ner_tags``, ``tags`` or ``labels`` (the first of these that it has). Other
keys contain everything else in a sentence, so that nothing is lost in a round trip.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from trustag.errors import InputError
from trustag.files.stored_tags import StoredTags, Tag, names_in_order
from trustag.files.tally import Tally
from trustag.text.sentences import Sentence, Source

T = TypeVar("T")

TAG_KEYS: Final = ("ner_tags", "tags", "labels")
COLUMN_KEYS: Final = {"pos_tags": "pos", "chunk_tags": "chunk"}


class _Record(msgspec.Struct):
    """The fields of a record, except for its tags, whose key varies."""

    tokens: tuple[str, ...] | None = None
    gold_tags: tuple[Tag, ...] | None = None
    id: str | int | None = None
    document: str | int | None = None
    comments: tuple[str, ...] | None = None
    token_sources: tuple[str, ...] | None = None
    gaps: tuple[str, ...] | None = None
    columns: dict[str, tuple[str, ...]] | None = None
    names: tuple[str, ...] | None = None


class _Tags(msgspec.Struct):
    tags: tuple[Tag, ...] | None


_KEYS: Final = frozenset(_Record.__struct_fields__)


class RecordReader:
    """Converts records to sentences, and counts in ``tally`` the keys that are not part of a sentence."""

    def __init__(self, tally: Tally, tags: StoredTags, gold: StoredTags, *, unlabelled: bool = False) -> None:
        self._tally = tally
        self._tags = tags
        self._gold = gold
        self._unlabelled = unlabelled

    def sentence(self, fields: dict[str, Any], where: Source) -> Sentence | None:
        """Return the sentence of one record, or None for a record that contains only ``names``."""
        record = _converted(fields, _Record, where)
        if record.names is not None:
            find_names = partial(names_in_order, record.names, where)
            self._tags, self._gold = self._tags.renamed(find_names), self._gold.renamed(find_names)
            if fields.keys() == {"names"}:
                return None
        key = next((key for key in TAG_KEYS if key in fields), None)
        if record.tokens is None or (key is None and not self._unlabelled):
            missing = "tokens" if record.tokens is None else "ner_tags"
            raise InputError(
                f"{missing!r} is missing or null (keys: {', '.join(fields) or 'none'})",
                where=where,
                remedy='add "tokens": [...] and "ner_tags": [...] to every record',
            )
        tags = None if key is None else _converted({"tags": fields[key]}, _Tags, where, key).tags
        columns = _columns_by_key(fields, record.columns or {})
        for name in fields:
            if name not in _KEYS and name != key and name not in columns:
                self._tally.add("left out", "extra key", repr(name))
        return Sentence(
            tokens=record.tokens,
            labels=(None,) * len(record.tokens) if tags is None else self._tags.labels(tags, where),
            gold=None if record.gold_tags is None else self._gold.labels(record.gold_tags, where),
            token_sources=record.token_sources,
            source=where,
            id=None if record.id is None else str(record.id),
            document=None if record.document is None else str(record.document),
            comments=record.comments or (),
            gaps=record.gaps,
            columns=(record.columns or {}) | {COLUMN_KEYS[name]: values for name, values in columns.items()},
        )


def record_of(sentence: Sentence) -> dict[str, Any]:
    """Return the record of ``sentence``: its tokens, its labels, and everything else that it has."""
    further = {
        "gold_tags": sentence.gold,
        "id": sentence.id,
        "document": sentence.document,
        "comments": sentence.comments or None,
        "token_sources": sentence.token_sources,
        "gaps": sentence.gaps,
        "columns": sentence.columns or None,
    }
    record: dict[str, Any] = {"tokens": sentence.tokens, "ner_tags": sentence.labels}
    record.update((key, value) for key, value in further.items() if value is not None)
    return record


def _converted(fields: dict[str, Any], record_type: type[T], where: Source, key: str = "") -> T:
    try:
        return msgspec.convert(fields, record_type)
    except msgspec.ValidationError as error:
        finding = f"{key!r}: {error}" if key else str(error)
        raise InputError(finding, where=where, remedy="correct the value to what this format expects") from None


def _columns_by_key(fields: dict[str, Any], given: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return the additional columns that have keys of their own, unless they are in ``given`` or not strings."""
    return {
        key: tuple(values)
        for key, name in COLUMN_KEYS.items()
        if isinstance(values := fields.get(key), list)
        and name not in given
        and all(isinstance(value, str) for value in values)
    }
