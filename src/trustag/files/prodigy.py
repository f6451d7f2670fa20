"""Prodigy JSON Lines: a text, its tokens, and spans with an exclusive ``end`` and an inclusive ``token_end``.

Only accepted tasks are read; rejected and ignored tasks are reported. ``gold_spans`` contains gold labels.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final

import msgspec

from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, read_json_records, write_json_line
from trustag.files.raw_texts import RawText, TextReader, check_offsets
from trustag.files.tally import Tally
from trustag.files.text_spans import TextSpan, character_spans, shorten, token_spans
from trustag.files.tokenizers import Offset
from trustag.notes import Note, Watch
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source


class _Token(msgspec.Struct):
    text: str
    start: int
    end: int


class _Span(msgspec.Struct):
    start: int | None = None
    end: int | None = None
    token_start: int | None = None
    token_end: int | None = None
    label: str | None = None


class _Task(msgspec.Struct):
    text: str
    spans: list[_Span] | None = None
    gold_spans: list[_Span] | None = None
    tokens: list[_Token] | None = None
    answer: str | None = None
    id: str | int | None = None
    document: str | int | None = None


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    tally, texts = Tally(file.name), TextReader(options, watch)
    for line, raw in read_json_records(file, msgspec.Raw):
        where = Source(file.name, line)
        task = decode(raw, _Task, where)
        if task.answer not in {None, "accept"}:
            watch(Note("left out", f"answer is {task.answer!r}", shorten(task.text), where))
            continue
        tally.add_extra_keys(raw, _Task, where)
        yield from texts.sentences(_raw_text(task, options, where, watch))
    tally.report(watch)


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    for sentence in sentences:
        offsets = sentence.offsets
        gaps = sentence.gaps or ("", *(" ",) * len(sentence))
        task: dict[str, object] = {
            "text": sentence.text,
            "tokens": [
                {"text": token, "start": start, "end": end, "id": number, "ws": bool(gaps[number + 1])}
                for number, (token, (start, end)) in enumerate(zip(sentence.tokens, offsets, strict=True))
            ],
            "spans": _written(sentence.labels, offsets, sentence.source),
        }
        if sentence.gold is not None:
            task["gold_spans"] = _written(sentence.gold, offsets, sentence.source)
        task["answer"] = "accept"
        if sentence.id is not None:
            task["id"] = sentence.id
        if sentence.document is not None:
            task["document"] = sentence.document
        write_json_line(stream, task)


def _raw_text(task: _Task, options: ReadOptions, where: Source, watch: Watch) -> RawText:
    spans = [*(task.spans or []), *(task.gold_spans or [])]
    # Wrong tokens in the file are not an error if they are not needed.
    needed = options.tokenizer == "auto" or any(span.start is None or span.end is None for span in spans)
    offsets = _token_offsets(task.text, task.tokens, where) if task.tokens is not None and needed else None
    # An accepted task without spans has no entities; a task without an answer is unlabelled text.
    given = task.spans if task.spans is not None or task.answer is None else []
    return RawText(
        text=task.text,
        spans=None if given is None else [_text_span(span, offsets, where, watch) for span in given],
        gold=None if task.gold_spans is None else [_text_span(span, offsets, where, watch) for span in task.gold_spans],
        tokens=offsets,
        source=where,
        id=None if task.id is None else str(task.id),
        document=None if task.document is None else str(task.document),
    )


def _token_offsets(text: str, tokens: Sequence[_Token], where: Source) -> list[Offset]:
    offsets = [(token.start, token.end) for token in tokens]
    check_offsets(text, offsets, where)
    for token in tokens:
        if text[token.start : token.end] != token.text:
            raise InputError(
                f"token {shorten(token.text)} at {token.start}-{token.end}, where the text has "
                f"{shorten(text[token.start : token.end])}",
                where=where,
                remedy="correct the token, or read with --tokenizer regex",
            )
    return offsets


def _text_span(span: _Span, offsets: Sequence[Offset] | None, where: Source, watch: Watch) -> TextSpan:
    """Return the characters of ``span``; without character offsets, they follow from its token indices."""
    by_tokens = _characters(span, offsets, where)
    if span.start is None or span.end is None:
        if by_tokens is None:
            raise InputError("a span has no start and end", where=where, remedy="add start and end, or tokens")
        return TextSpan(*by_tokens, span.label or "")
    if by_tokens is not None and by_tokens != (span.start, span.end):
        detail = (
            f"characters {span.start}-{span.end}, but tokens at {by_tokens[0]}-{by_tokens[1]}; the characters are used"
        )
        watch(Note("suspicious", "span contradicts itself", detail, where))
    return TextSpan(span.start, span.end, span.label or "")


def _characters(span: _Span, offsets: Sequence[Offset] | None, where: Source) -> Offset | None:
    if span.token_start is None or span.token_end is None or offsets is None:
        return None
    if not 0 <= span.token_start <= span.token_end < len(offsets):
        raise InputError(
            f"a span has the tokens {span.token_start} to {span.token_end}, but there are {len(offsets)} tokens",
            where=where,
            remedy="correct token_start and token_end",
        )
    return offsets[span.token_start][0], offsets[span.token_end][1]


def _written(labels: Sequence[Label], offsets: Sequence[Offset], where: Source | None) -> list[dict[str, object]]:
    return [
        {
            "start": characters.start,
            "end": characters.end,
            "token_start": tokens.start,
            "token_end": tokens.end - 1,
            "label": tokens.type,
        }
        for tokens, characters in zip(token_spans(labels, where), character_spans(labels, offsets, where), strict=True)
    ]


FORMAT: Final = FileFormat(
    name="prodigy",
    summary="Prodigy JSON Lines: a text with tokens, spans and an answer",
    suffixes=(".jsonl",),
    room=frozenset({"gold", "unknown", "id", "document", "gaps", "empty"}),
    read=_read,
    write=_write,
)
