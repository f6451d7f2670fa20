"""Records with a text, character spans and tokens: what doccano files and lists of entities have in common."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, BinaryIO

import msgspec

from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.json_records import decode, is_given, write_json_line
from trustag.files.raw_texts import StoredTokens, locate_tokens, stored_tokens
from trustag.files.text_spans import TextSpan, character_spans
from trustag.files.tokenizers import Offset
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source


def single_filled_value(record: msgspec.Struct, keys: Sequence[str], what: str, where: Source) -> Any:
    """Return the value of the only one of ``keys`` that is not empty, or else an empty value, or ``None``.

    Several values that are not empty are an error.
    """
    present = {key: value for key in keys if (value := getattr(record, key)) is not None}
    filled = [key for key, value in present.items() if value]
    if len(filled) > 1:
        raise InputError(f"{what} in both `{filled[0]}` and `{filled[1]}`", where=where, remedy="keep one of them")
    return present[filled[0]] if filled else next(iter(present.values()), None)


def own_tokens(tokens: msgspec.Raw, text: str, options: ReadOptions, where: Source) -> list[Offset] | None:
    """Return the offsets of the tokens in a record, or ``None`` if it has none or another tokenizer is requested."""
    if not is_given(tokens) or options.tokenizer != "auto":
        return None
    return locate_tokens(text, decode(tokens, StoredTokens, where), where)


def write_records(
    sentences: Iterable[Sentence], stream: BinaryIO, key: str, written: Callable[[TextSpan, str], object]
) -> None:
    """Write each sentence as one line: its text, its entities as ``written`` converts them, and its tokens.

    ``key`` is the key of the entities.
    """
    for sentence in sentences:
        record: dict[str, object] = {"id": sentence.id} if sentence.id is not None else {}
        record |= {"text": sentence.text, key: _spans(sentence, sentence.labels, written)}
        if sentence.gold is not None:
            record["gold"] = _spans(sentence, sentence.gold, written)
        record["tokens"] = stored_tokens(sentence)
        if sentence.document is not None:
            record["document"] = sentence.document
        write_json_line(stream, record)


def _spans(sentence: Sentence, labels: Sequence[Label], written: Callable[[TextSpan, str], object]) -> list[object]:
    text = sentence.text
    return [written(span, text) for span in character_spans(labels, sentence.offsets, sentence.source)]
