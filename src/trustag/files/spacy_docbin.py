"""spaCy's training data: ``.spacy`` files that contain a DocBin.

A document with sentence boundaries becomes several sentences of one document; any other document becomes one sentence.
Entities are read as IOB2. A token whose entity is *missing* has an unknown label, which is not the same as ``O``;
tokens blocked from being entities are ``O``. Gold labels are the span group ``gold``; its attribute ``unknown`` lists
the tokens with an unknown gold label. Every sentence is written as one document; what spaCy cannot represent is stored
in the document's ``user_data``. A DocBin is one compressed block, so the whole file is read into memory.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, BinaryIO, Final

import msgspec

from trustag.errors import InputError
from trustag.files import docbin
from trustag.files.docbin import DocBinFields, PackedSpan, Spacy, SpanGroup
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.tally import Tally
from trustag.notes import Watch
from trustag.text.labels import OUTSIDE, Label, join_label, split_label
from trustag.text.schemes import Scheme, convert_labels, write_spans
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import Span, read_spans

_GOLD: Final = "gold"
_UNKNOWN: Final = "unknown"
_UNKNOWN_SPACES: Final = "has_unknown_spaces"
_MISSING, _INSIDE, _OUTSIDE, _BEGIN = range(4)
_STARTS, _CONTINUES = 1, 2**64 - 1
_ATTRIBUTES: Final = ("ORTH", "ENT_IOB", "ENT_TYPE", "SENT_START")
# Spacing is stored elsewhere, norms follow from the tokens, and heads are meaningless without DEP.
_DERIVED: Final = ("SPACY", "NORM", "HEAD")


class _Extras(msgspec.Struct, omit_defaults=True):
    """The parts of a sentence that are stored in ``user_data``."""

    id: str | int | None = None
    document: str | int | None = None
    comments: tuple[str, ...] = ()
    token_sources: tuple[str, ...] | None = None
    columns: dict[str, tuple[str, ...]] = {}
    gaps: tuple[str, ...] | None = None


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:  # noqa: ARG001
    spacy = docbin.load_spacy()
    name = file.name
    tally = Tally(name)
    where: Source = Source(name)
    data = file.read_bytes()
    try:
        reader = _DocReader(docbin.unpack_bin(data), spacy, tally)
        for number, numbers in enumerate(docbin.columns(reader.fields)):
            where = Source(name, number + 1, is_record=True)
            yield from reader.sentences(number, numbers, where)
    except InputError as error:
        raise InputError(error.finding, where=error.where or where, remedy=error.remedy) from None
    tally.report(watch)


class _DocReader:
    """Turns the documents of a DocBin into sentences."""

    def __init__(self, fields: DocBinFields, spacy: Spacy, tally: Tally) -> None:
        self.fields = fields
        self._tally = tally
        self._strings = {0: "", **{spacy.store.add(string): string for string in fields.strings}}
        self._first_tokens = [0, *accumulate(docbin.doc_lengths(fields))]
        self._orth, self._iob, self._type, self._start = (spacy.attributes[name] for name in _ATTRIBUTES)
        if self._orth not in fields.attrs:
            raise InputError("the spaCy file contains no words", remedy="write it again with DocBin.to_disk")
        used = {spacy.attributes[name] for name in (*_ATTRIBUTES, *_DERIVED)}
        names = {number: name for name, number in spacy.attributes.items()}
        self._unused = {number: names.get(number, str(number)) for number in fields.attrs if number not in used}

    def sentences(self, number: int, numbers: dict[int, list[int]], where: Source) -> list[Sentence]:
        """Return the sentences of the document with index ``number``, whose token values are ``numbers``."""
        tokens = tuple(map(self._string, numbers[self._orth]))
        if "" in tokens:
            raise InputError("a token is empty", remedy="remove empty tokens")
        self._leave_out(name for attribute, name in self._unused.items() if any(numbers[attribute]))
        self._leave_out(["cats"] if self.fields.cats[number] else [])
        extras = self._extras(number)
        whole = Sentence(
            tokens=tokens,
            labels=self._labels(numbers, len(tokens)),
            gold=self._gold(number, len(tokens)),
            token_sources=extras.token_sources,
            source=where,
            id=None if extras.id is None else str(extras.id),
            document=None if extras.document is None else str(extras.document),
            comments=extras.comments,
            gaps=extras.gaps if extras.gaps is not None else self._gaps(number),
            columns=extras.columns,
        )
        starts = [token for token, start in enumerate(numbers.get(self._start, ())) if start == _STARTS and token]
        return _cut(whole, starts, whole.document or whole.id or str(number + 1)) if starts else [whole]

    def _leave_out(self, things: Iterable[str]) -> None:
        for thing in things:
            self._tally.add("left out", "extra annotation", repr(thing))

    def _string(self, number: int) -> str:
        try:
            return self._strings[number]
        except KeyError:
            raise InputError(
                "the string of a word or type is missing", remedy="write it again with DocBin.to_disk"
            ) from None

    def _labels(self, numbers: dict[int, list[int]], length: int) -> tuple[Label, ...]:
        positions = numbers.get(self._iob, [_MISSING] * length)
        kinds = numbers.get(self._type, [0] * length)
        pairs = list(zip(positions, kinds, strict=True))
        known = {pair: self._label(*pair) for pair in set(pairs)}
        return tuple(map(known.__getitem__, pairs))

    def _label(self, position: int, number: int) -> Label:
        kind = self._string(number)
        if position == _MISSING and not kind:
            return None
        if position == _OUTSIDE or (position == _BEGIN and not kind):
            return OUTSIDE
        if position not in {_BEGIN, _INSIDE} or not kind:
            raise InputError(
                f"ENT_IOB {position} does not fit ENT_TYPE {kind!r}", remedy="store both ENT_IOB and ENT_TYPE"
            )
        return join_label("B" if position == _BEGIN else "I", kind)

    def _gaps(self, number: int) -> tuple[str, ...] | None:
        if self.fields.flags is not None and self.fields.flags[number].get(_UNKNOWN_SPACES):
            return None
        spaces = self.fields.spaces[self._first_tokens[number] : self._first_tokens[number + 1]]
        return _gaps_of(spaces)

    def _extras(self, number: int) -> _Extras:
        packed = self.fields.user_data[number] if self.fields.user_data is not None else None
        stored = docbin.unpack(packed, dict[Any, Any]) if packed else {}
        known = {key: value for key, value in stored.items() if key in _Extras.__struct_fields__}
        try:
            extras = msgspec.convert(known, _Extras)
        except msgspec.ValidationError:
            extras, known = _Extras(), {}
        self._leave_out(f"user_data.{key}" for key in stored if key not in known)
        return extras

    def _gold(self, number: int, length: int) -> tuple[Label, ...] | None:
        groups = docbin.unpack_groups(self.fields.span_groups[number]) if self.fields.span_groups else {}
        self._leave_out(f"spans.{key}" for key in groups if key != _GOLD)
        if _GOLD not in groups:
            return None
        packed = sorted(map(docbin.unpack_span, groups[_GOLD].spans), key=lambda span: span.start)
        spans = [Span(span.start, span.end, self._string(span.label)) for span in packed]
        boundaries = [0, *(boundary for span in spans for boundary in span[:2]), length]
        if any(left > right for left, right in pairwise(boundaries)) or any(
            s.start == s.end or not s.type for s in spans
        ):
            raise InputError("gold spans overlap, are out of range, or have no type", remedy="keep one label per token")
        unknown = groups[_GOLD].attrs.get(_UNKNOWN)
        tokens = {token for token in unknown if isinstance(token, int)} if isinstance(unknown, list) else set()
        return write_spans(spans, [None if token in tokens else OUTSIDE for token in range(length)], Scheme.IOB2)


def _gaps_of(spaces: Iterable[int]) -> tuple[str, ...]:
    """Return the gaps that spaCy can represent: one space or none after every token."""
    return ("", *(" " if space else "" for space in spaces))


def _cut(whole: Sentence, starts: list[int], document: str) -> list[Sentence]:
    """Return ``whole`` split before the tokens ``starts``; the gap between two parts belongs to the first."""
    return [
        Sentence(
            tokens=whole.tokens[start:end],
            labels=whole.labels[start:end],
            gold=None if whole.gold is None else whole.gold[start:end],
            token_sources=None if whole.token_sources is None else whole.token_sources[start:end],
            source=whole.source,
            document=document,
            comments=() if start else whole.comments,
            gaps=None if whole.gaps is None else ("" if start else whole.gaps[0], *whole.gaps[start + 1 : end + 1]),
            columns={name: values[start:end] for name, values in whole.columns.items()},
        )
        for start, end in pairwise([0, *starts, len(whole)])
    ]


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    writer = _DocWriter(docbin.load_spacy())
    for sentence in sentences:
        try:
            writer.add(sentence)
        except UnicodeEncodeError:
            raise InputError(
                "an unpaired surrogate cannot be written", where=sentence.source, remedy="repair the text first"
            ) from None
    stream.write(docbin.pack_bin(writer.fields()))


class _DocWriter:
    """Collects sentences as the documents of a DocBin."""

    def __init__(self, spacy: Spacy) -> None:
        self._attributes = [spacy.attributes[name] for name in _ATTRIBUTES]
        self._store = spacy.store
        self._strings: dict[str, int] = {"": 0}
        self._tokens = array("Q")
        self._spaces = bytearray()
        self._lengths = array("i")
        self._flags: list[dict[str, Any]] = []
        self._groups: list[bytes] = []
        self._extras: list[bytes | None] = []

    def add(self, sentence: Sentence) -> None:
        """Add one sentence as a document."""
        if "" in sentence.tokens:
            raise InputError(
                "spaCy cannot store an empty token",
                where=sentence.line_of(sentence.tokens.index("")),
                remedy="remove empty tokens, or write jsonl instead",
            )
        spaces = [gap != "" for gap in sentence.gaps[1:]] if sentence.gaps is not None else [True] * len(sentence)
        start = _STARTS
        for token, label in zip(sentence.tokens, convert_labels(sentence.labels, Scheme.IOB2), strict=True):
            self._tokens.extend((self._number(token), *self._entity(label), start))
            start = _CONTINUES
        self._spaces += bytes(spaces)
        self._lengths.append(len(sentence))
        self._flags.append({_UNKNOWN_SPACES: sentence.gaps is None})
        self._groups.append(self._gold_group(sentence, spaces))
        extras = _Extras(
            id=sentence.id,
            document=sentence.document,
            comments=sentence.comments,
            token_sources=sentence.token_sources,
            columns=dict(sentence.columns),
            gaps=sentence.gaps if sentence.gaps != _gaps_of(spaces) else None,
        )
        self._extras.append(msgspec.msgpack.encode(extras))

    def fields(self) -> DocBinFields:
        """Return the DocBin of all sentences added."""
        return DocBinFields(
            attrs=self._attributes,
            tokens=self._tokens.tobytes(),
            spaces=bytes(self._spaces),
            lengths=self._lengths.tobytes(),
            strings=sorted(self._strings),
            cats=[{} for _ in self._lengths],
            flags=self._flags,
            span_groups=self._groups,
            user_data=self._extras,
        )

    def _number(self, string: str) -> int:
        number = self._strings.get(string)
        if number is None:
            number = self._strings[string] = int(self._store.add(string))
        return number

    def _entity(self, label: Label) -> tuple[int, int]:
        if label is None:
            return _MISSING, 0
        if label == OUTSIDE:
            return _OUTSIDE, 0
        position, kind = split_label(label)
        return _BEGIN if position == "B" else _INSIDE, self._number(kind)

    def _gold_group(self, sentence: Sentence, after: Sequence[bool]) -> bytes:
        if sentence.gold is None:
            return docbin.pack_groups({})
        ends = list(accumulate(len(token) + space for token, space in zip(sentence.tokens, after, strict=True)))
        spans = []
        for start, end, kind in read_spans(sentence.gold):
            start_char = ends[start] - after[start] - len(sentence.tokens[start])
            end_char = ends[end - 1] - after[end - 1]
            spans.append(docbin.pack_span(PackedSpan(self._number(kind), start, end, start_char, end_char)))
        unknown = [token for token, label in enumerate(sentence.gold) if label is None]
        return docbin.pack_groups({_GOLD: SpanGroup(_GOLD, {_UNKNOWN: unknown} if unknown else {}, spans)})


FORMAT: Final = FileFormat(
    name="spacy",
    summary="spaCy training data: a .spacy file with a DocBin",
    suffixes=(".spacy",),
    room=frozenset({"gold", "unknown", "token_sources", "columns", "id", "document", "comments", "gaps", "empty"}),
    read=_read,
    write=_write,
)
