"""GLiNER: token numbers with an inclusive end, as JSON or JSON Lines."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.span_laws import (
    JOINED,
    check_only_input_errors_escape,
    check_round_trip,
    read,
    records_like,
    refusal,
    write,
)
from trustag.files.gliner import FORMAT
from trustag.text.sentences import Sentence, Source

TOKENS = ["John", "Smith", "lives", "in", "York"]
RECORD: dict[str, Any] = {"tokenized_text": TOKENS, "ner": [[4, 4, "city"], [0, 1, "person"]]}
SENTENCE = Sentence(tuple(TOKENS), ("B-person", "I-person", "O", "O", "B-city"), source=Source("data.jsonl", 1))


@pytest.mark.parametrize("content", [RECORD, [RECORD], json.dumps(RECORD) + "\n"])
def test_the_last_token_is_inclusive(content: object) -> None:
    assert read(FORMAT, content) == ([SENTENCE], [])


def test_extra_keys_are_reported_once_each() -> None:
    _, notes = read(FORMAT, [RECORD | {"ner_negatives": ["date"]}] * 2)
    assert notes == ["data.jsonl: left out: extra key: 'ner_negatives', 2 times"]


def test_a_record_without_ner_has_unknown_labels() -> None:
    found, notes = read(FORMAT, {"tokenized_text": ["a", "b"]})
    assert found[0].labels == (None, None)
    assert notes == ["data.jsonl:1: info: no labels: all labels of 'a b' are unknown"]


@pytest.mark.parametrize(
    ("span", "note"),
    [
        ([3, 5, "x"], "outside the text: x at tokens 3 to 5; there are 5 tokens"),
        ([-1, 2, "x"], "outside the text: x at tokens -1 to 2; there are 5 tokens"),
        ([3, 2, "x"], "empty: x at tokens 3 to 2"),
        ([2, 2, " "], "no type:   at tokens 2 to 2"),
        ([4, 4, "city"], "duplicate: city at tokens 4 to 4, 'York'; kept: city at tokens 4 to 4, 'York'"),
        (
            [1, 2, "x"],
            "overlaps another: x at tokens 1 to 2, 'Smith lives'; kept: person at tokens 0 to 1, 'John Smith'",
        ),
    ],
)
def test_spans_that_do_not_fit_are_reported(span: list[Any], note: str) -> None:
    found, notes = read(FORMAT, RECORD | {"ner": [*RECORD["ner"], span]})
    assert found == [SENTENCE]
    assert notes == [f"data.jsonl:1: dropped: {note}"]


@pytest.mark.parametrize(
    ("record", "finding"),
    [
        ({"ner": []}, "Object missing required field `tokenized_text`"),
        ({"tokenized_text": "a b", "ner": []}, "Expected `array`, got `str` - at `$.tokenized_text`"),
        ({"tokenized_text": ["a"], "ner": [[0, 0]]}, "Expected `array` of length 3 - at `$.ner[0]`"),
        ({"tokenized_text": ["a"], "ner": [["0", 0, "x"]]}, "Expected `int`, got `str` - at `$.ner[0][0]`"),
        ({"tokenized_text": ["a", None]}, "Expected `str`, got `null` - at `$.tokenized_text[1]`"),
    ],
)
def test_bad_records_are_refused_with_their_line(record: dict[str, Any], finding: str) -> None:
    content = json.dumps([RECORD, record]).replace("}, {", "},\n {")
    assert refusal(FORMAT, content).startswith(f"data.jsonl:2: {finding}")


def test_written_records_can_be_read_by_eye() -> None:
    sentence = Sentence(("a", "b", "c"), ("B-X", "I-X", None), ("O", "O", "B-Y"), id="7", document="news")
    assert write(FORMAT, [sentence, Sentence((), ())]) == (
        b'[\n{"tokenized_text":["a","b","c"],"ner":[[0,1,"X"],[2,2,"-"]],"gold_ner":[[2,2,"Y"]],"id":"7",'
        b'"document":"news"},\n{"tokenized_text":[],"ner":[]}\n]\n'
    )


@given(st.lists(JOINED, max_size=3))
def test_reading_gives_back_what_was_written(sentences: list[Sentence]) -> None:
    check_round_trip(FORMAT, sentences)


@given(st.binary(max_size=60) | records_like(["tokenized_text", "ner", "gold_ner", "id"]))
def test_only_input_errors_escape(content: object) -> None:
    check_only_input_errors_escape(FORMAT, content)
