"""Raw texts with character spans: turn them into sentences, and store the tokens of a sentence with its text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec.structs import replace

from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.text_spans import TextSpan, align_spans, shorten
from trustag.files.token_splitting import split_at_borders
from trustag.files.tokenizers import Offset, tokenizer_named
from trustag.notes import NO_LABELS, Note, Watch
from trustag.text.labels import UNKNOWN_MARK, Label
from trustag.text.scripts import unspaced_script
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import read_spans

StoredTokens: TypeAlias = list[str | tuple[int, int]]

LINE_BREAK: Final = re.compile(r"\r\n|\n|\r")
TEXT_KEYS: Final = ("text", "sentence", "content")
"""The keys or columns that contain a text, in order of preference."""
TOKENIZER: Final = "tokenizer"
"""The reason of notes on texts that are split into characters."""
_CHARACTERS: Final = (
    "{} has no spaces between words, so every character is a token; "
    "--tokenizer spacy:LANGUAGE or a function such as jieba:lcut makes words"
)
_OTHER_TOKENIZER: Final = "correct the tokens, or read with --tokenizer regex to ignore them"


@dataclass(frozen=True, slots=True)
class RawText:
    """A text with the spans of a file.

    ``spans`` is ``None`` if the text is unlabelled, and empty if it has no entities. ``annotators`` has the spans of
    several people by their names. ``tokens`` are the offsets of the tokens in the file, if there are any. ``is_file``
    says that the text is a whole file, so its lines can be counted.
    """

    text: str
    spans: Sequence[TextSpan] | None
    source: Source
    gold: Sequence[TextSpan] | None = None
    annotators: Mapping[str, Sequence[TextSpan]] = field(default_factory=dict)
    tokens: Sequence[Offset] | None = None
    id: str | None = None
    document: str | None = None
    is_file: bool = False


class TextReader:
    """Turns raw texts into sentences, and reports once how the texts of a script without spaces are split."""

    def __init__(self, options: ReadOptions, watch: Watch) -> None:
        self._options = options
        self._watch = watch
        self._tokenizer = tokenizer_named(options.tokenizer)
        self._scripts: set[str] = set()

    def sentences(self, raw: RawText) -> Iterator[Sentence]:
        """Yield the text as one sentence or, with ``split_lines``, as one sentence for each line that has tokens."""
        if raw.spans is None and not raw.annotators:
            self._watch(Note("info", NO_LABELS, f"all labels of {shorten(raw.text)} are unknown", raw.source))
        offsets = self._offsets(raw)
        sentence = Sentence(
            tokens=tuple(raw.text[start:end] for start, end in offsets),
            labels=self._labels(raw, offsets, raw.spans),
            gold=None if raw.gold is None else self._labels(raw, offsets, raw.gold),
            source=raw.source,
            id=raw.id,
            document=raw.document,
            gaps=gaps_between(raw.text, offsets),
            columns={name: self._column(raw, offsets, spans) for name, spans in raw.annotators.items()},
        )
        if self._options.split_lines:
            yield from split_at_lines(sentence, lines_count=raw.is_file)
        else:
            yield sentence

    def _offsets(self, raw: RawText) -> Sequence[Offset]:
        if raw.tokens is None or self._options.tokenizer != "auto":
            return self._tokenized(raw)
        bare = "".join(gaps_between(raw.text, raw.tokens)).strip()
        if bare:
            detail = f"{shorten(bare)} is not part of any token"
            self._watch(Note("suspicious", "text outside tokens", detail, raw.source))
        return raw.tokens

    def _tokenized(self, raw: RawText) -> Sequence[Offset]:
        script = unspaced_script(raw.text) if self._options.tokenizer == "auto" else None
        if script is not None and script not in self._scripts:
            self._scripts.add(script)
            self._watch(Note("info", TOKENIZER, _CHARACTERS.format(script), Source(raw.source.file)))
        found = split_at_borders(raw.text, self._tokenizer(raw.text), _located(raw.spans, raw), self._watch)
        # Borders of further labels are new only where the labels differ.
        for spans in (raw.gold, *raw.annotators.values()):
            found = split_at_borders(raw.text, found, _located(spans, raw), self._watch)
        return found

    def _labels(self, raw: RawText, offsets: Sequence[Offset], spans: Sequence[TextSpan] | None) -> tuple[Label, ...]:
        if spans is None:
            return (None,) * len(offsets)
        return align_spans(raw.text, offsets, _located(spans, raw), self._watch)

    def _column(self, raw: RawText, offsets: Sequence[Offset], spans: Sequence[TextSpan]) -> tuple[str, ...]:
        """Return the labels of one annotator, of which none is unknown, as an additional column."""
        return tuple(label or UNKNOWN_MARK for label in self._labels(raw, offsets, spans))


def _located(spans: Sequence[TextSpan] | None, raw: RawText) -> Iterator[TextSpan]:
    """Yield ``spans`` with their location in the file, at least that of the text."""
    for span in spans or ():
        yield span if span.source is not None else span._replace(source=raw.source)


def split_at_lines(sentence: Sentence, *, lines_count: bool = False) -> Iterator[Sentence]:
    """Yield each line of a sentence with gaps as a separate sentence; entities are not split, blank lines are skipped.

    The lines share a document and get numbered ids. With ``lines_count``, each gets its own line of the source.
    """
    gaps = sentence.gaps or ()
    starts = [0, *_line_starts(sentence), len(sentence)]
    pieces = [(first, last) for first, last in pairwise(starts) if first < last]
    document = sentence.document
    if document is None and len(pieces) > 1:
        document = sentence.id if sentence.id is not None else str(sentence.source)
    source, counted = sentence.source, 0
    for number, (first, last) in enumerate(pieces, start=1):
        if lines_count and source is not None:
            breaks = sum(len(LINE_BREAK.findall(gap)) for gap in gaps[counted : first + 1])
            source, counted = replace(source, line=(source.line or 1) + breaks), first + 1
        lead, trail = LINE_BREAK.split(gaps[first])[-1], LINE_BREAK.split(gaps[last])[0]
        yield replace(
            sentence,
            tokens=sentence.tokens[first:last],
            labels=sentence.labels[first:last],
            gold=None if sentence.gold is None else sentence.gold[first:last],
            columns={name: values[first:last] for name, values in sentence.columns.items()},
            source=source,
            id=f"{sentence.id}-{number}" if sentence.id is not None and len(pieces) > 1 else sentence.id,
            document=document,
            gaps=(lead, *gaps[first + 1 : last], trail),
        )


def gaps_between(text: str, offsets: Sequence[Offset]) -> tuple[str, ...]:
    """Return the text before, between and after the tokens at ``offsets``.

    >>> gaps_between(" Hello, world", [(1, 6), (6, 7), (8, 13)])
    (' ', '', ' ', '')
    """
    starts = [start for start, _ in offsets]
    ends = [end for _, end in offsets]
    return tuple(text[end:start] for end, start in zip([0, *ends], [*starts, len(text)], strict=True))


def stored_tokens(sentence: Sentence) -> StoredTokens:
    """Return what to store with the text to restore the tokens: their strings, or offsets if strings are ambiguous."""
    if _found_in_order(sentence.text, sentence.tokens) == sentence.offsets:
        return list(sentence.tokens)
    return list(sentence.offsets)


def locate_tokens(text: str, tokens: StoredTokens, where: Source) -> list[Offset]:
    """Return the offsets of stored tokens; strings must make up the text, with only whitespace between them."""
    strings = [token for token in tokens if isinstance(token, str)]
    if not strings:
        boundaries = [token for token in tokens if not isinstance(token, str)]
        check_offsets(text, boundaries, where)
        return boundaries
    if len(strings) < len(tokens):
        raise InputError("some tokens are strings and some are offsets", where=where, remedy=_OTHER_TOKENIZER)
    offsets = _found_in_order(text, strings)
    if len(offsets) < len(strings):
        missing = shorten(strings[len(offsets)])
        raise InputError(f"token {missing} is not next in the text", where=where, remedy=_OTHER_TOKENIZER)
    rest = text[offsets[-1][1] :].strip()
    if rest:
        raise InputError(f"{shorten(rest)} in the text has no token", where=where, remedy=_OTHER_TOKENIZER)
    return offsets


def check_offsets(text: str, offsets: Sequence[Offset], where: Source) -> None:
    """Raise an error if token offsets are not in order from left to right in ``text``."""
    before = 0
    for start, end in offsets:
        if not before <= start <= end <= len(text):
            raise InputError(f"token at {start}-{end} is out of order", where=where, remedy=_OTHER_TOKENIZER)
        before = end


def _line_starts(sentence: Sentence) -> list[int]:
    """Return the indices of tokens that start a new line, unless they are inside an entity."""
    inside = {
        token
        for labels in (sentence.labels, sentence.gold or ())
        for entity in read_spans(labels)
        for token in range(entity.start + 1, entity.end)
    }
    gaps = sentence.gaps or ()
    return [token for token in range(1, len(sentence)) if LINE_BREAK.search(gaps[token]) and token not in inside]


def _found_in_order(text: str, tokens: Sequence[str]) -> list[Offset]:
    """Return the offsets of ``tokens`` in ``text``, up to the first that does not follow after only whitespace."""
    offsets: list[Offset] = []
    position = 0
    for token in tokens:
        start = text.find(token, position)
        if start < 0 or text[position:start].strip():
            break
        position = start + len(token)
        offsets.append((start, position))
    return offsets
