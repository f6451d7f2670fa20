"""Records of a text, its spans and its tokens: what is written says the entities in characters, and is found again."""

import io
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import conlleval_phrases
from tests.strategies import sentences
from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.span_records import own_tokens, single_filled_value, write_records
from trustag.text.sentences import Sentence, Source

WHERE = Source("file", 2)


class Record(msgspec.Struct):
    spans: list[int] | None = None
    entities: list[int] | None = None
    labels: list[int] | None = None


KEYS = ("spans", "entities", "labels")


@given(st.fixed_dictionaries({key: st.none() | st.lists(st.integers(0, 3), max_size=2) for key in KEYS}))
def test_only_one_key_may_be_filled_and_an_empty_one_is_better_than_none(values: dict[str, list[int] | None]) -> None:
    record = Record(**values)
    filled = [key for key in KEYS if values[key]]
    if len(filled) > 1:
        with pytest.raises(InputError, match=f"file:2.*{filled[0]}.*{filled[1]}"):
            single_filled_value(record, KEYS, "entities", WHERE)
        return
    expected = values[filled[0]] if filled else ([] if [] in values.values() else None)
    assert single_filled_value(record, KEYS, "entities", WHERE) == expected


def written(*own: Sentence) -> list[dict[str, Any]]:
    stream = io.BytesIO()
    write_records(
        own, stream, "spans", lambda span, text: [span.start, span.end, span.type, text[span.start : span.end]]
    )
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@given(sentences(unknown=False, gaps=st.sampled_from(["", " ", "  "])))
def test_entities_are_written_as_the_characters_they_cover(sentence: Sentence) -> None:
    (record,) = written(sentence)
    assert record["text"] == sentence.text
    for key, labels in (("spans", sentence.labels), ("gold", sentence.gold)):
        if labels is None:
            assert key not in record
            continue
        phrases = conlleval_phrases([label or "O" for label in labels])
        assert [(start, end, kind) for start, end, kind, _ in record[key]] == [
            (sentence.offsets[first][0], sentence.offsets[last - 1][1], kind) for first, last, kind in phrases
        ]
        assert all(record["text"][start:end] == words for start, end, _, words in record[key])


@given(sentences(unknown=False, gold=False, gaps=st.sampled_from(["", " ", "  "])))
def test_tokens_are_found_again_where_they_were(sentence: Sentence) -> None:
    (record,) = written(sentence)
    raw = msgspec.Raw(json.dumps(record["tokens"]).encode())
    assert own_tokens(raw, record["text"], ReadOptions(), WHERE) == sentence.offsets
    assert own_tokens(raw, record["text"], ReadOptions(tokenizer="regex"), WHERE) is None
    assert own_tokens(msgspec.Raw(b""), record["text"], ReadOptions(), WHERE) is None


def test_id_and_document_are_written_where_known() -> None:
    named, plain = written(Sentence(("a",), ("O",), id="7", document="d"), Sentence(("a",), ("O",)))
    assert (named["id"], named["document"]) == ("7", "d")
    assert not {"id", "document"} & set(plain)
