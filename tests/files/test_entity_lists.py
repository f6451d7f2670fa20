"""Lists of entities: all forms give the same sentence, words are located, and nothing is lost silently."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
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
from trustag.files.entity_lists import ENTITY_KEYS, FORMAT
from trustag.files.formats import Occurrences, ReadOptions
from trustag.files.sniffing import sniff, sniff_texts
from trustag.text.sentences import Sentence, Source

TEXT = "John lives in York."
TOKENS = ("John", "lives", "in", "York", ".")
LABELS = ("B-PER", "O", "O", "B-LOC", "O")
BY_OFFSETS = [{"start": 14, "end": 18, "label": "LOC"}, {"start": 0, "end": 4, "label": "PER"}]


@pytest.mark.parametrize(
    "record",
    [
        *({"text": TEXT, key: BY_OFFSETS} for key in ENTITY_KEYS),
        {"sentence": TEXT, "entities": BY_OFFSETS},
        {"content": TEXT, "entities": [[14, 18, "LOC"], [0, 4, "PER"]]},
        {"text": TEXT, "entities": [["York", "LOC"], ["John", "PER"]]},
        {"text": TEXT, "entities": [{"text": "York", "type": "LOC"}, {"entity": "John", "type": "PER"}]},
        {"text": TEXT, "entities": [{"word": "York", "entity": "LOC"}, {"name": "John", "category": "PER"}]},
        {
            "text": TEXT,
            "entities": [
                {"start_char": 14, "end_char": 18, "entity_group": "LOC", "word": "York"},
                {"start_offset": 0, "end_offset": 4, "entity_type": "PER"},
            ],
        },
        {"text": TEXT, "entities": {"PER": ["John"], "LOC": ["York"], "ORG": []}},
        {"text": TEXT, "entities": [], "spans": BY_OFFSETS, "ner": None},
    ],
)
def test_every_shape_gives_the_same_sentence(record: dict[str, Any]) -> None:
    found, notes = read(FORMAT, record)
    assert found == [Sentence(TOKENS, LABELS, source=Source("data.jsonl", 1), gaps=("", " ", " ", " ", "", ""))]
    assert notes == []


def labels_of(text: str, entities: object) -> tuple[list[str | None], list[str]]:
    found, notes = read(FORMAT, {"text": text, "entities": entities})
    return list(found[0].labels), [note.removeprefix("data.jsonl:1: ") for note in notes]


def test_the_same_words_are_matched_to_one_occurrence_after_the_other() -> None:
    labels, notes = labels_of("Ann met Ann and Bob", [["Ann", "PER"], ["Ann", "ORG"]])
    assert labels == ["B-PER", "O", "B-ORG", "O", "O"]
    assert notes == []


@pytest.mark.parametrize(("occurrences", "last"), [("unknown", None), ("first", "O"), ("all", "B-LOC")])
def test_an_entity_named_once_that_stands_twice_is_what_was_chosen(occurrences: Occurrences, last: str | None) -> None:
    record = {"text": "Berlin is Berlin", "entities": [{"text": "Berlin", "type": "LOC"}]}
    found, notes = read(FORMAT, record, ReadOptions(occurrences=occurrences))
    assert found[0].labels == ("B-LOC", "O", last)
    assert len(notes) == 1
    assert "once more" in notes[0]


def test_a_list_of_names_labels_all_their_occurrences() -> None:
    labels, notes = labels_of("Ann met Ann and Bob", {"PER": ["Ann", "Bob"]})
    assert labels == ["B-PER", "O", "B-PER", "O", "B-PER"]
    assert notes == []


def test_longer_words_choose_first_and_leave_the_rest_to_shorter_ones() -> None:
    labels, notes = labels_of("New York or York", [["York", "ORG"], ["New York", "LOC"]])
    assert labels == ["B-LOC", "I-LOC", "O", "B-ORG"]
    assert notes == []


def test_whole_words_are_preferred_to_parts_of_words() -> None:
    assert labels_of("Annual dinner of Ann", [["Ann", "PER"]]) == (["O", "O", "O", "B-PER"], [])


def test_words_in_another_case_are_found_and_reported() -> None:
    labels, notes = labels_of("they met ANN LEE", [["Ann Lee", "PER"]])
    assert labels == ["O", "O", "B-PER", "I-PER"]
    assert notes == ["repaired: words in another spelling: PER 'Ann Lee': 'ANN LEE'"]


def test_offsets_that_do_not_match_the_words_are_moved_to_the_nearest_occurrence() -> None:
    entity = {"start": 13, "end": 16, "text": "Ann", "label": "PER"}
    labels, notes = labels_of("Ann saw that Ann fell", [entity])
    assert (labels, notes) == (["O", "O", "O", "B-PER", "O"], [])
    labels, notes = labels_of("Ann saw that Ann fell", [entity | {"start": 10, "end": 13}])
    assert labels == ["O", "O", "O", "B-PER", "O"]
    assert notes == ["repaired: offsets that do not match the words: PER 'Ann' should be at 10, but is at 13"]


def test_words_that_do_not_occur_are_counted_and_listed() -> None:
    labels, notes = labels_of("Ann fell", [["Ann", "PER"], ["Ann", "ORG"], ["Bob", "PER"], [" ", "PER"]])
    assert labels == ["B-PER", "O"]
    assert notes == [
        "dropped: all occurrences are taken: ORG 'Ann' in 'Ann fell'",
        "dropped: words not in the text: PER 'Bob' in 'Ann fell'",
        "dropped: words not in the text: PER '' in 'Ann fell'",
    ]


def test_an_entity_without_a_type_is_no_entity() -> None:
    labels, notes = labels_of("Ann fell", [{"text": "Ann"}, {"start": 4, "end": 8}])
    assert labels == ["O", "O"]
    assert notes == ["dropped: no type:  'fell' at 4-8", "dropped: no type:  'Ann' at 0-3"]


def test_extra_keys_are_reported_once_each_with_their_count() -> None:
    entity = {"start": 0, "end": 1, "label": "X", "score": 0.9, "index": 3}
    _, notes = read(FORMAT, [{"text": "a", "entities": [entity, entity], "meta": 1}])
    assert [note for note in notes if "extra key" in note] == [
        "data.jsonl: left out: extra key: 'meta', once",
        "data.jsonl: left out: extra key: 'entities.score', 2 times",
        "data.jsonl: left out: extra key: 'entities.index', 2 times",
    ]


def test_a_text_without_any_list_has_unknown_labels() -> None:
    found, notes = read(FORMAT, {"text": "John lives"})
    assert found[0].labels == (None, None)
    assert notes == ["data.jsonl:1: info: no labels: all labels of 'John lives' are unknown"]


@pytest.mark.parametrize(
    ("record", "finding"),
    [
        ({"entities": []}, "no text; give each record a key `text`"),
        ({"text": "a", "sentence": "b"}, "text in both `text` and `sentence`; keep one of them"),
        (
            {"text": "a", "spans": [["a", "X"]], "ner": [["a", "X"]]},
            "labels in both `spans` and `ner`; keep one of them",
        ),
        ({"text": "a", "entities": [[0, 1]]}, "cannot read the entity [0,1]; use [start, end, type] or [words, type]"),
        ({"text": "a", "entities": [{"type": "X"}]}, "an entity has neither start and end nor words"),
        ({"text": "a", "entities": [{"start": True, "end": 1, "type": "X"}]}, "an entity has neither start and end"),
        ({"text": "a", "entities": ["a"]}, "Expected `object | array`, got `str` - at `$.entities[0]`"),
        ({"text": "a", "entities": {"X": "a"}}, "Expected `array`, got `str` - at `$.entities[...]`"),
    ],
)
def test_bad_records_are_refused_with_their_line(record: object, finding: str) -> None:
    assert refusal(FORMAT, [{"text": "a"}, record]).startswith(f"data.jsonl:1: {finding}")


def test_written_records_can_be_read_by_eye() -> None:
    sentence = Sentence(
        ("John", "lives", "in", "York"), ("B-PER", None, None, "O"), ("O", "O", "O", "B-LOC"), id="7", document="news"
    )
    assert write(FORMAT, [sentence]) == (
        b'{"id":"7","text":"John lives in York",'
        b'"entities":[{"start":0,"end":4,"label":"PER","text":"John"},'
        b'{"start":5,"end":13,"label":"-","text":"lives in"}],'
        b'"gold":[{"start":14,"end":18,"label":"LOC","text":"York"}],'
        b'"tokens":["John","lives","in","York"],"document":"news"}\n'
    )


@given(st.lists(JOINED | SPACED, min_size=1, max_size=3))
def test_reading_gives_back_what_was_written(sentences: list[Sentence]) -> None:
    check_round_trip(FORMAT, sentences)


LISTED = [{"text": "York", "type": "LOC"}, {"text": "John", "type": "PER"}]


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps(LISTED),
        f"```json\n{json.dumps(LISTED, indent=2)}\n```",
        f"```\n{json.dumps(LISTED)}\n```\n",
        json.dumps({"entities": LISTED}),
        json.dumps({"PER": ["John"], "LOC": ["York"]}),
    ],
)
def test_the_answer_of_a_language_model_is_read_from_its_string(answer: str) -> None:
    record = {"text": TEXT, "entities": answer}
    found, notes = read(FORMAT, record)
    assert (found[0].labels, notes) == (LABELS, [])
    with scratch_file(json.dumps(record).encode(), "x") as file:
        assert sniff(file) == "entities"


@pytest.mark.parametrize("answer", ["", "```json\n[{]\n```", "no entities", '{"a": ["b"], "c": [{}]}', "[1]"])
def test_an_answer_that_is_no_list_of_entities_is_refused_with_its_line(answer: str) -> None:
    assert refusal(FORMAT, {"text": TEXT, "entities": answer}).startswith("data.jsonl:1: ")


@pytest.mark.parametrize("layout", ["lines", "array", "several fences"])
def test_a_file_in_markdown_fences_is_read_as_what_is_inside(layout: str) -> None:
    record = json.dumps({"text": TEXT, "entities": LISTED})
    inside = {"lines": f"{record}\n{record}", "array": f"[{record},\n{record}]", "several fences": record}[layout]
    content = f"\n```json\n{inside}\n```\n\n" * (2 if layout == "several fences" else 1)
    found, _ = read(FORMAT, content)
    assert [sentence.labels for sentence in found] == [LABELS, LABELS]
    with scratch_file(content.encode(), "x") as file:
        assert sniff(file) == sniff_texts(file) == "entities"


def test_what_is_said_around_the_fences_is_left_out_and_listed() -> None:
    record = json.dumps({"text": TEXT, "entities": LISTED})
    content = f"Here it is:\n\n```json\n{record}\n```\nDone.\n\nDone.\n```\n{record}\n```\n"
    found, notes = read(FORMAT, content)
    assert [sentence.labels for sentence in found] == [LABELS, LABELS]
    said = [note for note in notes if "Markdown" in note]
    assert said == [
        "data.jsonl: left out: text outside the Markdown fences: 'Here it is:', once",
        "data.jsonl: left out: text outside the Markdown fences: 'Done.', 2 times",
    ]
    with scratch_file(content.encode(), "x") as file:
        assert sniff(file) == sniff_texts(file) == "entities"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('```json\n{"text": "a", "entities": []}\n', "data.jsonl:1: the Markdown fence is not closed; add ```"),
        ('```json\n{"text": "a",,\n```\n', "data.jsonl:2: "),
    ],
)
def test_what_is_wrong_around_or_in_a_fence_is_one_line(content: str, complaint: str) -> None:
    assert refusal(FORMAT, content).startswith(complaint)


KEYS = ["text", "entities", "spans", "ner", "start", "end", "label", "type", "word", "entity", "tokens", "gold", "id"]


@given(st.binary(max_size=60) | records_like(KEYS))
def test_only_input_errors_escape(content: object) -> None:
    check_only_input_errors_escape(FORMAT, content)
