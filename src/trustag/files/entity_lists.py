"""JSON Lines with texts and lists of entities, in the forms that scripts, pipelines and language models produce.

The key of the text is `text`, `sentence` or `content`; that of its entities is `entities`, `ents`, `spans`, `ner`,
`mentions`, `labels`, `annotations` or `label`. An entity is `[start, end, type]`, `[words, type]`, an object with
`start` and `end`, or an object with only its words (`text`, `word`, `mention`, `name`); the key of its type is `label`,
`type`, `entity_group` or similar. An entity given by words without offsets is matched to their first occurrence that no
other entity has; longer entities are matched first. Where the same words stand once more, their labels are unknown, or
what `--occurrences` says: `first` means `O`, `all` means the same entity. If the words differ from the text at the
given offsets, the nearest occurrence of the words is used and reported. An object that maps types to lists of names
(`{"PER": ["Ann"]}`) labels all occurrences of these names. The list may also be a string with JSON in it, as language
models answer, and JSON may stand in Markdown fences.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

import msgspec

from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, unfenced
from trustag.files.mention_search import MentionSearch, UnlocatedMention
from trustag.files.raw_texts import TEXT_KEYS, RawText, TextReader
from trustag.files.span_records import own_tokens, single_filled_value, write_records
from trustag.files.tally import Tally, counted_records
from trustag.files.text_spans import TextSpan
from trustag.notes import Watch
from trustag.text.sentences import Sentence, Source

ENTITY_KEYS: Final = ("entities", "ents", "spans", "ner", "mentions", "labels", "annotations", "label")
_STARTS: Final = ("start", "start_offset", "start_char", "begin")
_ENDS: Final = ("end", "end_offset", "end_char", "stop")
_TYPES: Final = ("label", "type", "entity_group", "entity_type", "category", "tag", "class", "entity")
_WORDS: Final = ("text", "word", "words", "mention", "span", "name", "value", "entity")

_Entry: TypeAlias = list[str | int | None] | dict[str, Any]
_Listed: TypeAlias = list[_Entry] | dict[str, list[str]]
# A language model answers with JSON in a string, which may wrap the list in an object and in a Markdown fence.
_Answer: TypeAlias = list[_Entry] | dict[str, list[_Entry | str]]


class _Record(msgspec.Struct):
    text: str | None = None
    sentence: str | None = None
    content: str | None = None
    entities: _Listed | str | None = None
    ents: _Listed | str | None = None
    spans: _Listed | str | None = None
    ner: _Listed | str | None = None
    mentions: _Listed | str | None = None
    labels: _Listed | str | None = None
    annotations: _Listed | str | None = None
    label: _Listed | str | None = None
    gold: _Listed | None = None
    tokens: msgspec.Raw = msgspec.Raw()
    id: str | int | None = None
    document: str | int | None = None


class _Context(NamedTuple):
    """What is needed to read the entries of a record: its text, its location, and how to find words in the text."""

    text: str
    where: Source
    tally: Tally
    search: MentionSearch


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    """Yield the texts of a file as sentences; the labels of a text without a list of entities are unknown."""
    tally, texts = Tally(file.name), TextReader(options, watch)
    for where, record in counted_records(file, _Record, tally):
        yield from texts.sentences(_raw_text(record, options, where, tally, watch))
    tally.report(watch)


def _raw_text(record: _Record, options: ReadOptions, where: Source, tally: Tally, watch: Watch) -> RawText:
    text = single_filled_value(record, TEXT_KEYS, "text", where)
    if text is None:
        raise InputError("no text", where=where, remedy="give each record a key `text`")
    context = _Context(text, where, tally, MentionSearch(text, where, options.occurrences, watch))
    listed = _unpacked(single_filled_value(record, ENTITY_KEYS, "labels", where), where)
    return RawText(
        text=text,
        spans=None if listed is None else _spans(listed, context),
        gold=None if record.gold is None else _spans(record.gold, context),
        tokens=own_tokens(record.tokens, text, options, where),
        source=where,
        id=None if record.id is None else str(record.id),
        document=None if record.document is None else str(record.document),
    )


def _unpacked(listed: _Listed | str | None, where: Source) -> _Listed | None:
    """Return a list of entities, decoded if it is the answer of a language model as a string."""
    if not isinstance(listed, str):
        return listed
    remedy = "correct the answer to a JSON list of entities"
    answer: _Answer = decode(unfenced(listed), _Answer, where, remedy=remedy)  # type: ignore[arg-type]
    if isinstance(answer, dict) and len(answer) == 1 and (key := next(iter(answer))) in ENTITY_KEYS:
        entries = [entry for entry in answer[key] if not isinstance(entry, str)]
        answer = answer if len(entries) < len(answer[key]) else entries
    if isinstance(answer, dict) and not all(isinstance(name, str) for names in answer.values() for name in names):
        raise InputError("cannot read the entities in the answer", where=where, remedy=remedy)
    return answer  # type: ignore[return-value] # only strings are left in a dictionary


def _spans(listed: _Listed, context: _Context) -> list[TextSpan]:
    if isinstance(listed, dict):
        named = [UnlocatedMention(words, kind, everywhere=True) for kind, names in listed.items() for words in names]
        return context.search.locate(named)
    mentions: list[UnlocatedMention] = []
    spans: list[TextSpan] = []
    for entry in listed:
        found = _from_list(entry, context) if isinstance(entry, list) else _from_object(entry, context)
        if isinstance(found, UnlocatedMention):
            mentions.append(found)
        else:
            spans.append(found)
    return context.search.locate(mentions, spans)


def _from_list(entry: Sequence[str | int | None], context: _Context) -> UnlocatedMention | TextSpan:
    match entry:
        case [int(start), int(end), str() | None as kind]:
            return TextSpan(start, end, kind or "")
        case [str(words), str(kind)]:
            return UnlocatedMention(words, kind)
    raise InputError(
        f"cannot read the entity {msgspec.json.encode(entry).decode()}",
        where=context.where,
        remedy="use [start, end, type] or [words, type]",
    )


def _from_object(entry: Mapping[str, Any], context: _Context) -> UnlocatedMention | TextSpan:
    kind_key = _first(entry, _TYPES, str)
    start_key, end_key = _first(entry, _STARTS, int), _first(entry, _ENDS, int)
    words_key = _first({key: value for key, value in entry.items() if key != kind_key}, _WORDS, str)
    for key in entry:
        if key not in {kind_key, start_key, end_key, words_key}:
            context.tally.add("left out", "extra key", repr(f"entities.{key}"))
    kind = entry[kind_key] if kind_key else ""
    if start_key and end_key:
        start, end = entry[start_key], entry[end_key]
        words = entry[words_key] if words_key else None
        if words is None or context.text[max(start, 0) : max(end, 0)] == words:
            return TextSpan(start, end, kind)
        return UnlocatedMention(words, kind, near=start)
    if words_key:
        return UnlocatedMention(entry[words_key], kind)
    raise InputError(
        "an entity has neither start and end nor words",
        where=context.where,
        remedy="add start and end, or its words as `text`",
    )


def _first(entry: Mapping[str, Any], keys: Sequence[str], kind: type) -> str | None:
    """Return the first of ``keys`` whose value in ``entry`` is of type ``kind``."""
    values = ((key, entry.get(key)) for key in keys)
    return next((key for key, value in values if isinstance(value, kind) and not isinstance(value, bool)), None)


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    write_records(sentences, stream, "entities", _written)


def _written(span: TextSpan, text: str) -> dict[str, object]:
    """Return an entity with both offsets and words, so that readers can use either."""
    return {"start": span.start, "end": span.end, "label": span.type, "text": text[span.start : span.end]}


FORMAT: Final = FileFormat(
    name="entities",
    summary="JSON Lines with texts and lists of entities, by offsets or by words, as scripts and language models write",
    suffixes=(".jsonl", ".json"),
    room=frozenset({"gold", "unknown", "id", "document", "gaps", "empty"}),
    read=_read,
    write=_write,
)
