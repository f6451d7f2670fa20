"""SpERT: token numbers with an exclusive end, as JSON or JSON Lines."""

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
from trustag.files.spert import FORMAT
from trustag.text.sentences import Sentence, Source

TOKENS = ["John", "Smith", "lives", "in", "York"]
ENTITIES = [{"type": "city", "start": 4, "end": 5}, {"type": "person", "start": 0, "end": 2}]
RECORD: dict[str, Any] = {"tokens": TOKENS, "entities": ENTITIES, "relations": [], "orig_id": 7}
LABELS = ("B-person", "I-person", "O", "O", "B-city")
SENTENCE = Sentence(tuple(TOKENS), LABELS, source=Source("data.jsonl", 1), id="7")


@pytest.mark.parametrize("content", [RECORD, [RECORD], json.dumps(RECORD) + "\n"])
def test_the_end_is_exclusive(content: object) -> None:
    assert read(FORMAT, content) == ([SENTENCE], [])


def test_relations_and_extra_keys_are_counted() -> None:
    relation = {"type": "lives in", "head": 1, "tail": 0}
    _, notes = read(FORMAT, [RECORD | {"relations": [relation, relation], "pos": []}])
    assert notes == [
        "data.jsonl: left out: extra key: 'pos', once",
        "data.jsonl: left out: not an entity: relation, 2 times",
    ]


def test_a_record_without_entities_has_unknown_labels() -> None:
    found, notes = read(FORMAT, {"tokens": ["a", "b"]})
    assert found[0].labels == (None, None)
    assert notes == ["data.jsonl:1: info: no labels: all labels of 'a b' are unknown"]


@pytest.mark.parametrize(
    ("entity", "note"),
    [
        ({"type": "x", "start": 3, "end": 6}, "outside the text: x at tokens 3 to 5; there are 5 tokens"),
        ({"type": "x", "start": 3, "end": 3}, "empty: x at tokens 3 to 2"),
        ({"type": "", "start": 2, "end": 3}, "no type:  at tokens 2 to 2"),
        (
            {"type": "x", "start": 1, "end": 3},
            "overlaps another: x at tokens 1 to 2, 'Smith lives'; kept: person at tokens 0 to 1, 'John Smith'",
        ),
    ],
)
def test_entities_that_do_not_fit_are_reported(entity: dict[str, Any], note: str) -> None:
    found, notes = read(FORMAT, RECORD | {"entities": [*ENTITIES, entity]})
    assert found == [SENTENCE]
    assert notes == [f"data.jsonl:1: dropped: {note}"]


@pytest.mark.parametrize(
    ("record", "finding"),
    [
        ({"entities": []}, "Object missing required field `tokens`"),
        ({"tokens": ["a"], "entities": [[0, 1, "x"]]}, "Expected `object`, got `array` - at `$.entities[0]`"),
        ({"tokens": ["a"], "entities": [{"type": "x", "start": 0}]}, "Object missing required field `end`"),
    ],
)
def test_bad_records_are_refused_with_their_line(record: dict[str, Any], finding: str) -> None:
    content = json.dumps([RECORD, record]).replace("}, {", "},\n {")
    assert finding in refusal(FORMAT, content)


def test_written_records_are_what_spert_asks_for() -> None:
    sentence = Sentence(("a", "b", "c"), ("B-X", "I-X", None), ("O", "O", "B-Y"), id="7", document="news")
    first, second = json.loads(write(FORMAT, [sentence, Sentence((), ())]))
    assert first == {
        "tokens": ["a", "b", "c"],
        "entities": [{"type": "X", "start": 0, "end": 2}, {"type": "-", "start": 2, "end": 3}],
        "gold_entities": [{"type": "Y", "start": 2, "end": 3}],
        "relations": [],
        "orig_id": "7",
        "document": "news",
    }
    assert second == {"tokens": [], "entities": [], "relations": []}


@given(st.lists(JOINED, max_size=3))
def test_reading_gives_back_what_was_written(sentences: list[Sentence]) -> None:
    check_round_trip(FORMAT, sentences)


@given(st.binary(max_size=60) | records_like(["tokens", "entities", "gold_entities", "relations", "orig_id"]))
def test_only_input_errors_escape(content: object) -> None:
    check_only_input_errors_escape(FORMAT, content)
