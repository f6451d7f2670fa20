"""Label Studio: full and short exports, several annotators, predictions, and nothing lost there and back."""

import json
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
from trustag.files.formats import ReadOptions
from trustag.files.label_studio import FORMAT
from trustag.text.sentences import Sentence, Source

TEXT = "John lives in York"
PER = ("B-PER", "O", "O", "O")
LOC = ("O", "O", "O", "B-LOC")
NONE = (None, None, None, None)
MERGE = "trustag merge makes one of them, or export those of one annotator"


def region(start: int, end: int, *labels: str, text: str | None = None) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": TEXT[start:end] if text is None else text, "labels": list(labels)}
    return {"id": "x", "from_name": "label", "to_name": "text", "type": "labels", "value": value}


JOHN = {"result": [region(0, 4, "PER")]}
YORK = {"result": [region(14, 18, "LOC")]}


def task(*annotations: dict[str, Any], **further: Any) -> dict[str, Any]:
    return {"data": {"text": TEXT}, "annotations": list(annotations), **further}


def labels_of(record: dict[str, Any], options: ReadOptions | None = None) -> tuple[Any, Any, list[str]]:
    found, notes = read(FORMAT, record, options)
    return found[0].labels, found[0].gold, notes


def test_a_task_becomes_a_sentence() -> None:
    found, notes = read(FORMAT, [task(JOHN, id=12)])
    assert found == [
        Sentence(("John", "lives", "in", "York"), PER, source=Source("data.jsonl", 1), id="12", gaps=("", *"   ", ""))
    ]
    assert notes == []


def test_tasks_may_come_one_a_line_or_with_the_old_name_of_annotations() -> None:
    old = {"data": {"text": TEXT}, "completions": [JOHN]}
    found, _ = read(FORMAT, json.dumps(task(YORK)) + "\n" + json.dumps(old))
    assert [(s.labels, s.source) for s in found] == [(LOC, Source("data.jsonl", 1)), (PER, Source("data.jsonl", 2))]


def test_the_first_annotation_counts_and_the_others_are_reported() -> None:
    labels, gold, notes = labels_of(task(JOHN, YORK | {"id": 5}))
    assert (labels, gold) == (PER, None)
    assert notes == [f"data.jsonl:1: left out: another annotation: annotation 5 with 1 results; {MERGE}"]


def test_cancelled_annotations_are_skipped_and_reported() -> None:
    labels, gold, notes = labels_of(task(JOHN | {"was_cancelled": True}, YORK))
    assert (labels, gold) == (LOC, None)
    assert notes == ["data.jsonl:1: left out: cancelled annotation: annotation with 1 results"]


def test_ground_truth_is_gold_beside_another_annotation_and_the_labels_when_alone() -> None:
    truth = JOHN | {"ground_truth": True}
    assert labels_of(task(truth, YORK)) == (LOC, PER, [])
    assert labels_of(task(truth)) == (PER, None, [])


def test_the_last_prediction_counts_where_there_is_no_annotation() -> None:
    prediction = YORK | {"model_version": "m", "score": 0.5}
    labels, _, notes = labels_of(task(predictions=[JOHN, prediction]))
    assert labels == LOC
    assert notes == [
        f"data.jsonl:1: left out: another annotation: annotation with 1 results; {MERGE}",
        "data.jsonl: left out: extra key: 'predictions.model_version', once",
        "data.jsonl: left out: extra key: 'predictions.score', once",
    ]


def test_annotations_are_preferred_to_predictions_unless_requested() -> None:
    both = task(JOHN, predictions=[YORK])
    assert labels_of(both) == (PER, None, ["data.jsonl: left out: labels not requested: a prediction, once"])
    assert labels_of(both, ReadOptions(label_studio="predictions")) == (
        LOC,
        None,
        ["data.jsonl:1: left out: annotation not requested: annotation with 1 results"],
    )
    only_predicted = task(predictions=[YORK])
    assert labels_of(only_predicted, ReadOptions(label_studio="annotations"))[0] == NONE


def test_predictions_can_be_held_against_ground_truth() -> None:
    labels, gold, _ = labels_of(
        task(JOHN | {"ground_truth": True}, predictions=[YORK]), ReadOptions(label_studio="predictions")
    )
    assert (labels, gold) == (LOC, PER)


def test_an_unlabelled_task_has_unknown_labels_and_an_empty_annotation_no_entities() -> None:
    labels, _, notes = labels_of(task())
    assert labels == NONE
    assert notes == ["data.jsonl:1: info: no labels: all labels of 'John lives in York' are unknown"]
    assert labels_of(task({"result": []})) == (("O",) * 4, None, [])


def test_results_of_other_types_and_second_labels_are_listed() -> None:
    others = [
        {"type": "relation", "from_id": "a"},
        {"type": "choices", "value": {"choices": ["x"]}},
        {"type": "relation"},
    ]
    labels, _, notes = labels_of(task({"result": [*others, region(0, 4, "PER", "ORG"), region(14, 18)]}))
    assert labels == PER
    assert notes == [
        "data.jsonl:1: left out: second label of one region: 'ORG' in addition to 'PER' for 'John' at 0-4",
        "data.jsonl:1: dropped: no type:  'York' at 14-18",
        "data.jsonl: left out: result other than a text region: 'relation', 2 times",
        "data.jsonl: left out: result other than a text region: 'choices', once",
    ]


def test_bookkeeping_is_reported_once_a_key() -> None:
    _, _, notes = labels_of(task(JOHN | {"completed_by": 1}, project=3) | {"data": {"text": TEXT, "page": 4}})
    assert notes == [
        "data.jsonl: left out: extra key: 'project', once",
        "data.jsonl: left out: extra key: 'data.page', once",
        "data.jsonl: left out: extra key: 'annotations.completed_by', once",
    ]


def test_words_that_do_not_match_the_text_are_reported() -> None:
    labels, _, notes = labels_of(task({"result": [region(0, 4, "PER", text="Jane")]}))
    assert labels == PER
    assert notes == [
        "data.jsonl:1: suspicious: region differs from the text: 'Jane' should be at 0-4, where the text has 'John'"
    ]


def test_offsets_that_prove_to_count_utf16_units_are_repaired() -> None:
    record = {"data": {"text": "💩 in York"}, "annotations": [{"result": [region(6, 10, "LOC", text="York")]}]}
    labels, _, notes = labels_of(record)
    assert labels == ("O", "O", "B-LOC")
    assert notes == ["data.jsonl:1: repaired: offsets count UTF-16 units: 'York' is at 5-9, not at 6-10"]


def test_the_only_string_is_the_text() -> None:
    found, _ = read(FORMAT, {"data": {"review": TEXT, "stars": 3}, "annotations": [JOHN]})
    assert found[0].text == TEXT


def test_the_short_export_is_read() -> None:
    regions = [{"start": 0, "end": 4, "text": "John", "labels": ["PER"]}]
    found, notes = read(
        FORMAT, [{"id": 3, "text": TEXT, "label": regions, "annotator": 1}, {"text": TEXT, "ner": regions}]
    )
    assert [(s.labels, s.id) for s in found] == [(PER, "3"), (PER, None)]
    assert notes == ["data.jsonl: left out: extra key: 'annotator', once"]


def test_the_short_export_leaves_out_regions_that_are_not_there() -> None:
    found, _ = read(FORMAT, [{"text": TEXT, "annotation_id": 3}, {"text": TEXT}])
    assert [s.labels for s in found] == [("O",) * 4, NONE]


@pytest.mark.parametrize(
    ("record", "finding"),
    [
        (
            {"data": {"text": "https://example.org/a.txt"}, "annotations": [JOHN | {"result": [region(90, 95, "X")]}]},
            "the task contains the address 'https://example.org/a.txt' instead of the text",
        ),
        ({"data": {"text": "/data/upload/1/a.txt"}, "annotations": [JOHN]}, "the task contains the address"),
        ({"data": {"a": "x", "b": "y"}}, "several strings ('a', 'b') in the data of the task"),
        ({"data": {"pages": 3}}, "no text in the data of the task"),
        ({"data": {"text": ["a"]}}, "Expected `str`, got `array`"),
        ({"data": "text"}, "Expected `object`, got `str` - at `$.data`"),
        ({"id": 4}, "neither `data` nor `text` in the task"),
        ({"text": TEXT, "label": "PER"}, "Expected `array`, got `str`"),
        ({"text": TEXT, "label": [{"start": 0}]}, "Object missing required field `end` - at `$[0]`"),
        (
            task({"result": [{"type": "labels", "value": {"start": 0.5, "end": 2}}]}),
            "Expected `int`, got `float` - at `$.start`",
        ),
        (task({"result": None}), "Expected `array`, got `null` - at `$.result`"),
        (task({}), "Object missing required field `result`"),
        ({"data": {"text": TEXT, "tokens": ["Jane"]}}, "token 'Jane' is not next in the text"),
        ({"data": {"text": TEXT, "tokens": 3}}, "Expected `array`, got `int`"),
        ([], "Expected `object`, got `array`"),
    ],
)
def test_bad_tasks_are_refused_with_their_line(record: object, finding: str) -> None:
    content = "[" + json.dumps(task(JOHN)) + ",\n\n" + json.dumps(record) + "]"
    assert refusal(FORMAT, content).startswith(f"data.jsonl:3: {finding}")


def test_written_tasks_can_be_read_by_eye() -> None:
    sentence = Sentence(("John", "!"), ("B-PER", None), ("O", "O"), id="7", document="news", gaps=("", "", ""))
    assert write(FORMAT, [sentence]) == (
        b'[\n{"data":{"text":"John!","tokens":["John","!"],"id":"7","document":"news"},"annotations":[{"result":['
        b'{"id":"region-0","from_name":"label","to_name":"text","type":"labels",'
        b'"value":{"start":0,"end":4,"text":"John","labels":["PER"]}},'
        b'{"id":"region-1","from_name":"label","to_name":"text","type":"labels",'
        b'"value":{"start":4,"end":5,"text":"!","labels":["-"]}}]},{"result":[],"ground_truth":true}]}\n]\n'
    )


@given(st.lists(JOINED | SPACED, max_size=3))
def test_reading_gives_back_what_was_written(sentences: list[Sentence]) -> None:
    check_round_trip(FORMAT, sentences)


KEYS = [
    "data",
    "text",
    "tokens",
    "annotations",
    "predictions",
    "result",
    "type",
    "value",
    "start",
    "end",
    "labels",
    "label",
]


@given(st.binary(max_size=60) | records_like(KEYS))
def test_only_input_errors_escape(content: object) -> None:
    check_only_input_errors_escape(FORMAT, content)
