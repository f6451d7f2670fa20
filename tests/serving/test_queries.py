"""Bodies are read or refused: no JSON is 400, too much is 413, anything else that is wrong is 422."""

import json

import pytest

from trustag.serving.limits import Limits
from trustag.serving.queries import RefusedError, parse_query, refusal

LIMITS = Limits(texts=2, characters=5)


def test_one_text_or_several_are_read() -> None:
    assert parse_query(b'{"text": "a b"}', LIMITS).texts == ["a b"]
    assert parse_query(b'{"tokens": ["a", "b"]}', LIMITS).texts == [["a", "b"]]
    assert parse_query(b'{"tokens": []}', LIMITS).texts == [[]]
    assert parse_query(b'{"inputs": ["a", ["b"]], "min_score": 0.5}', LIMITS).texts == ["a", ["b"]]


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (400, b"", "the body is not JSON"),
        (400, b"{", "the body is not JSON"),
        (400, b'{"text": "\xff"}', "the body is not JSON"),
        (400, b'{"text": "\\ud800"}', "the body is not JSON"),
        (422, b"[" * 100_000, "Expected `object`"),
        (422, b"[]", "Expected `object`"),
        (422, b"{}", "exactly one of text, tokens and inputs"),
        (422, b'{"text": "a", "tokens": []}', "exactly one of text, tokens and inputs"),
        (422, b'{"text": 1}', "Expected `str | null`, got `int`"),
        (422, b'{"tokens": ["a", 1]}', "`$.tokens[1]`"),
        (422, b'{"text": "a", "min_score": 2}', "<= 1.0"),
        (422, b'{"text": "a", "mins": 2}', "unknown field `mins`"),
        (413, b'{"inputs": ["a", "a", "a"]}', "3 texts, at most 2 are taken"),
        (413, b'{"text": "123456"}', "a text of 6 characters or tokens, at most 5"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_reason(status: int, body: bytes, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        parse_query(body, LIMITS)
    assert caught.value.status == status
    assert words in caught.value.reason
    assert json.loads(refusal(caught.value)) == {"error": caught.value.reason, "status": status}
