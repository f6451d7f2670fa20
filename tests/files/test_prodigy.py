"""Prodigy: inclusive token numbers, exclusive characters, only accepted tasks, and nothing lost there and back."""

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
from trustag.files.prodigy import FORMAT
from trustag.text.sentences import Sentence, Source

TOKENS = [
    {"text": "Mr.", "start": 0, "end": 3, "id": 0, "ws": True},
    {"text": "Smith", "start": 4, "end": 9, "id": 1, "ws": False},
    {"text": ",", "start": 9, "end": 10, "id": 2, "ws": True},
    {"text": "York", "start": 11, "end": 15, "id": 3, "ws": False},
]
TASK: dict[str, Any] = {"text": "Mr. Smith, York", "tokens": TOKENS, "answer": "accept"}


@pytest.mark.parametrize(
    "spans",
    [
        [
            {"start": 0, "end": 9, "token_start": 0, "token_end": 1, "label": "PER"},
            {"start": 11, "end": 15, "label": "X"},
        ],
        [{"start": 0, "end": 9, "label": "PER"}, {"start": 11, "end": 15, "label": "X"}],
        [{"token_start": 3, "token_end": 3, "label": "X"}, {"token_start": 0, "token_end": 1, "label": "PER"}],
    ],
)
def test_spans_by_characters_or_by_tokens_mean_the_same(spans: list[dict[str, Any]]) -> None:
    found, notes = read(FORMAT, TASK | {"spans": spans})
    assert found == [
        Sentence(
            ("Mr.", "Smith", ",", "York"),
            ("B-PER", "I-PER", "O", "B-X"),
            source=Source("data.jsonl", 1),
            gaps=("", " ", "", " ", ""),
        )
    ]
    assert notes == []


def test_only_accepted_tasks_are_read() -> None:
    tasks: list[dict[str, Any]] = [
        {"text": f"text {answer}", "spans": [], "answer": answer} for answer in ("reject", "accept", "ignore")
    ]
    found, notes = read(FORMAT, "\n".join(map(json.dumps, tasks)))
    assert [s.text for s in found] == ["text accept"]
    assert notes == [
        "data.jsonl:1: left out: answer is 'reject': 'text reject'",
        "data.jsonl:3: left out: answer is 'ignore': 'text ignore'",
    ]


def test_an_accepted_task_without_spans_has_no_entities_and_an_unanswered_one_no_labels() -> None:
    found, notes = read(FORMAT, [{"text": "a", "answer": "accept"}, {"text": "b", "spans": []}, {"text": "c"}])
    assert [s.labels for s in found] == [("O",), ("O",), (None,)]
    assert notes == ["data.jsonl:1: info: no labels: all labels of 'c' are unknown"]


def test_bookkeeping_is_reported_once_a_key() -> None:
    task = {"text": "a", "spans": [], "_input_hash": 1, "_annotator_id": "x"}
    _, notes = read(FORMAT, [task, task])
    assert notes == [
        "data.jsonl: left out: extra key: '_input_hash', 2 times",
        "data.jsonl: left out: extra key: '_annotator_id', 2 times",
    ]


def test_a_span_that_contradicts_itself_is_reported() -> None:
    found, notes = read(
        FORMAT, TASK | {"spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 1, "label": "X"}]}
    )
    assert found[0].labels == ("B-X", "O", "O", "O")
    assert notes == [
        "data.jsonl:1: suspicious: span contradicts itself: characters 0-3, but tokens at 0-9; the characters are used"
    ]


def test_text_that_the_tokens_leave_out_is_reported() -> None:
    found, notes = read(FORMAT, TASK | {"spans": [], "tokens": TOKENS[:2]})
    assert found[0].tokens == ("Mr.", "Smith")
    assert found[0].text == "Mr. Smith, York"
    assert notes == ["data.jsonl:1: suspicious: text outside tokens: ', York' is not part of any token"]


def test_another_tokenizer_cuts_the_text_anew() -> None:
    task = TASK | {"spans": [{"token_start": 1, "token_end": 1, "label": "PER"}]}
    found, _ = read(FORMAT, task, ReadOptions(tokenizer="regex"))
    assert found[0].tokens == ("Mr", ".", "Smith", ",", "York")
    assert found[0].labels == ("O", "O", "B-PER", "O", "O")


def test_wrong_tokens_do_no_harm_if_nothing_needs_them() -> None:
    task = TASK | {"text": "Dr. Smith, York", "spans": [{"start": 4, "end": 9, "label": "PER"}]}
    assert refusal(FORMAT, task).startswith("data.jsonl:1: token 'Mr.' at 0-3, where the text has 'Dr.'; ")
    found, _ = read(FORMAT, task, ReadOptions(tokenizer="whitespace"))
    assert found[0].tokens == ("Dr.", "Smith", ",", "York")


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"text": None}, "Expected `str`, got `null` - at `$.text`"),
        ({"spans": [{"label": "X"}]}, "a span has no start and end"),
        ({"spans": [{"start": 0, "label": "X"}]}, "a span has no start and end"),
        (
            {"spans": [{"token_start": 0, "token_end": 4, "label": "X"}]},
            "a span has the tokens 0 to 4, but there are 4 tokens",
        ),
        (
            {"spans": [{"token_start": 2, "token_end": 1, "label": "X"}]},
            "a span has the tokens 2 to 1, but there are 4 tokens",
        ),
        ({"spans": [{"token_start": -1, "token_end": 1}]}, "a span has the tokens -1 to 1, but there are 4 tokens"),
        ({"tokens": None, "spans": [{"token_start": 0, "token_end": 1}]}, "a span has no start and end"),
        ({"spans": [{"start": "0", "end": 3}]}, "Expected `int | null`, got `str` - at `$.spans[0].start`"),
        ({"spans": {}}, "Expected `array | null`, got `object` - at `$.spans`"),
        ({"tokens": TOKENS[::-1]}, "token at 9-10 is out of order"),
        ({"tokens": [{"text": "Mr."}]}, "Object missing required field `start` - at `$.tokens[0]`"),
    ],
)
def test_bad_tasks_are_refused_with_their_line(change: dict[str, Any], finding: str) -> None:
    content = json.dumps(TASK) + "\n" + json.dumps(TASK | change)
    assert refusal(FORMAT, content).startswith(f"data.jsonl:2: {finding}")


def test_written_tasks_can_be_read_by_eye() -> None:
    sentence = Sentence(("Mr.", "Smith", ","), ("B-PER", "I-PER", None), ("O", "B-PER", "O"), gaps=("", " ", "", ""))
    assert write(FORMAT, [sentence]) == (
        b'{"text":"Mr. Smith,","tokens":[{"text":"Mr.","start":0,"end":3,"id":0,"ws":true},'
        b'{"text":"Smith","start":4,"end":9,"id":1,"ws":false},{"text":",","start":9,"end":10,"id":2,"ws":false}],'
        b'"spans":[{"start":0,"end":9,"token_start":0,"token_end":1,"label":"PER"},'
        b'{"start":9,"end":10,"token_start":2,"token_end":2,"label":"-"}],'
        b'"gold_spans":[{"start":4,"end":9,"token_start":1,"token_end":1,"label":"PER"}],"answer":"accept"}\n'
    )


@given(st.lists(JOINED | SPACED, min_size=1, max_size=3))
def test_reading_gives_back_what_was_written(sentences: list[Sentence]) -> None:
    check_round_trip(FORMAT, sentences)


KEYS = ["text", "spans", "tokens", "start", "end", "token_start", "token_end", "label", "answer", "gold_spans"]


@given(st.binary(max_size=60) | records_like(KEYS))
def test_only_input_errors_escape(content: object) -> None:
    check_only_input_errors_escape(FORMAT, content)
