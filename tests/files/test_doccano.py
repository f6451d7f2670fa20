"""doccano: every dialect gives the same sentence, and nothing is lost on the way there and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.span_laws import (
    JOINED,
    SPACED,
    check_only_input_errors_escape,
    check_round_trip,
    read,
    records_like,
    refusal,
    write,
)
from trustag.files.doccano import FORMAT
from trustag.files.formats import ReadOptions
from trustag.text.sentences import Sentence, Source

TEXT = "John lives in York."
TOKENS = ("John", "lives", "in", "York", ".")
LABELS = ("B-PER", "O", "O", "B-LOC", "O")
TRIPLES = [[14, 18, "LOC"], [0, 4, "PER"]]
OBJECTS = [
    {"id": 7, "label": "PER", "start_offset": 0, "end_offset": 4, "user": 1},
    {"id": 8, "label": "LOC", "start_offset": 14, "end_offset": 18, "user": 1},
]


@pytest.mark.parametrize(
    "record",
    [
        {"text": TEXT, "label": TRIPLES},
        {"text": TEXT, "labels": TRIPLES},
        {"text": TEXT, "entities": TRIPLES},
        {"text": TEXT, "annotations": OBJECTS},
        {"text": TEXT, "entities": OBJECTS},
        {"data": TEXT, "label": TRIPLES},
        {"text": TEXT, "label": [], "entities": OBJECTS, "annotations": None},
    ],
)
def test_every_dialect_gives_the_same_sentence(record: dict[str, Any]) -> None:
    found, notes = read(FORMAT, record)
    assert found == [Sentence(TOKENS, LABELS, source=Source("data.jsonl", 1), gaps=("", " ", " ", " ", "", ""))]
    assert notes == []


def test_lines_and_ids_are_kept() -> None:
    found, _ = read(FORMAT, '{"id": 3, "text": "a", "label": []}\n\n{"doc_id": 4, "text": "b", "label": []}\n')
    assert [(s.id, s.source) for s in found] == [("3", Source("data.jsonl", 1)), ("4", Source("data.jsonl", 3))]


def test_extra_keys_are_reported_once_each_with_their_count() -> None:
    record = {"text": "a", "label": [], "meta": {}, "relations": []}
    _, notes = read(FORMAT, [record, record, {"text": "b", "data": "c", "label": [], "meta": 1}])
    assert notes == [
        "data.jsonl: left out: extra key: 'meta', 3 times",
        "data.jsonl: left out: extra key: 'relations', 2 times",
        "data.jsonl: left out: extra key: 'data', once",
    ]


def test_a_text_without_any_label_key_has_unknown_labels() -> None:
    found, notes = read(FORMAT, {"text": "John lives"})
    assert found[0].labels == (None, None)
    assert notes == ["data.jsonl:1: info: no labels: all labels of 'John lives' are unknown"]


def test_a_text_without_characters_is_a_sentence_without_tokens() -> None:
    found, notes = read(FORMAT, [{"text": "", "label": []}, {"text": " \n", "label": []}])
    assert [(s.tokens, s.text) for s in found] == [((), ""), ((), " \n")]
    assert notes == []


def test_overlaps_and_misfits_are_reported_with_their_line() -> None:
    record = {"text": TEXT, "label": [[0, 4, "PER"], [0, 10, "ORG"], [1, 4, "PER"], [14, 18, None]]}
    found, notes = read(FORMAT, record)
    assert found[0].labels == ("B-ORG", "I-ORG", "O", "O", "O")
    assert notes == [
        "data.jsonl:1: dropped: does not align with tokens: PER 'ohn' at 1-4; tokens there: 'John' at 0-4",
        "data.jsonl:1: dropped: no type:  'York' at 14-18",
        "data.jsonl:1: dropped: overlaps another: PER 'John' at 0-4; kept: ORG 'John lives' at 0-10",
    ]


def test_lines_become_sentences_but_entities_are_never_cut() -> None:
    text = "John lives\r\n\n in New\nYork.\nToo."
    record = {"id": 5, "text": text, "label": [[0, 4, "PER"], [17, 25, "LOC"]]}
    found, notes = read(FORMAT, record, ReadOptions(split_lines=True))
    assert notes == []
    assert [s.text for s in found] == ["John lives", " in New\nYork.", "Too."]
    assert [s.labels for s in found] == [("B-PER", "O"), ("O", "B-LOC", "I-LOC", "O"), ("O", "O")]
    assert [(s.id, s.document) for s in found] == [("5-1", "5"), ("5-2", "5"), ("5-3", "5")]
    assert {s.source for s in found} == {Source("data.jsonl", 1)}


def test_own_tokens_are_used_unless_another_tokenizer_is_requested() -> None:
    record = {"text": "Mr. Smith", "label": [[4, 9, "PER"]], "tokens": ["Mr.", "Smith"]}
    assert read(FORMAT, record)[0][0].tokens == ("Mr.", "Smith")
    assert read(FORMAT, record, ReadOptions(tokenizer="regex"))[0][0].tokens == ("Mr", ".", "Smith")
    assert read(FORMAT, record | {"tokens": [[0, 3], [4, 9]]})[0][0].tokens == ("Mr.", "Smith")
    assert read(FORMAT, record | {"tokens": ["x"]}, ReadOptions(tokenizer="whitespace"))[0][0].tokens == (
        "Mr.",
        "Smith",
    )


@pytest.mark.parametrize(
    ("record", "finding"),
    [
        ({"label": []}, "no text"),
        ({"data": {"text": "a"}, "label": []}, "Expected `str`, got `object`"),
        ({"text": 3, "label": []}, "Expected `str | null`, got `int` - at `$.text`"),
        ({"text": "a", "label": [[0, 1, 12]]}, "the label is the number 12, not a name"),
        ({"text": "a", "annotations": [OBJECTS[0] | {"label": 2}]}, "the label is the number 2, not a name"),
        ({"text": "a", "label": ["positive"]}, "Expected `object | array`, got `str` - at `$.label[0]`"),
        ({"text": "a", "label": [[0, 1]]}, "Expected `array` of length 3 - at `$.label[0]`"),
        ({"text": "a", "label": [[0, 1.5, "X"]]}, "Expected `int`, got `float` - at `$.label[0][1]`"),
        ({"text": "a", "label": [[0, 1, "X"]], "labels": [[0, 1, "X"]]}, "labels in both `label` and `labels`"),
        ({"text": "a b", "label": [], "tokens": ["b"]}, "token 'b' is not next in the text"),
        ({"text": "a b", "label": [], "tokens": ["a"]}, "'b' in the text has no token"),
        ({"text": "a b", "label": [], "tokens": ["a", [2, 3]]}, "some tokens are strings and some are offsets"),
        ({"text": "a b", "label": [], "tokens": [[2, 3], [0, 1]]}, "token at 0-1 is out of order"),
        ({"text": "a b", "label": [], "tokens": [[0, 9]]}, "token at 0-9 is out of order"),
        ({"text": "a b", "label": [], "tokens": [1]}, "Expected `str | array`, got `int` - at `$[0]`"),
        ([], "Expected `object`, got `array`"),
    ],
)
def test_bad_records_are_refused_with_their_line(record: object, finding: str) -> None:
    assert refusal(FORMAT, [{"text": "a", "label": []}, record]).startswith(f"data.jsonl:1: {finding}")


def test_written_records_can_be_read_by_eye() -> None:
    sentence = Sentence(
        ("John", "lives", "in", "York"), ("B-PER", None, None, "O"), ("O", "O", "O", "B-LOC"), id="7", document="news"
    )
    assert write(FORMAT, [sentence]) == (
        b'{"id":"7","text":"John lives in York","label":[[0,4,"PER"],[5,13,"-"]],"gold":[[14,18,"LOC"]],'
        b'"tokens":["John","lives","in","York"],"document":"news"}\n'
    )


def test_tokens_with_ambiguous_strings_are_stored_as_offsets() -> None:
    sentence = Sentence(("a", " ", "b"), ("O", "B-X", "O"))
    assert b'"tokens":[[0,1],[2,3],[4,5]]' in write(FORMAT, [sentence])
    check_round_trip(FORMAT, [sentence])


@given(st.lists(JOINED | SPACED, min_size=1, max_size=3))
def test_reading_gives_back_what_was_written(sentences: list[Sentence]) -> None:
    check_round_trip(FORMAT, sentences)


KEYS = [
    "text",
    "data",
    "label",
    "labels",
    "entities",
    "annotations",
    "start_offset",
    "end_offset",
    "tokens",
    "gold",
    "id",
]


@given(st.binary(max_size=60) | records_like(KEYS))
def test_only_input_errors_escape(content: object) -> None:
    check_only_input_errors_escape(FORMAT, content)
