"""A record of a sentence says all of it, and one that says less is read as far as it goes or refused by its line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.strategies import sentences
from trustag.errors import InputError
from trustag.files.spelled_tags import SpelledTags
from trustag.files.stored_tags import StoredTags
from trustag.files.tally import Tally
from trustag.files.token_records import TAG_KEYS, RecordReader, record_of
from trustag.notes import Note
from trustag.text.sentences import Sentence, Source

WHERE = Source("file", 5)


def reader(tally: Tally | None = None) -> RecordReader:
    def no_names() -> dict[int, str]:
        raise AssertionError

    return RecordReader(tally or Tally("file"), *(StoredTags(no_names, SpelledTags("file", print)) for _ in range(2)))


@given(sentences(gaps=st.sampled_from(["", " "])), st.booleans(), st.sampled_from(TAG_KEYS))
def test_a_record_is_read_back_as_the_sentence_whatever_the_key_of_its_tags(
    sentence: Sentence, with_more: bool, key: str
) -> None:
    if with_more:
        count = len(sentence.tokens)
        sentence = replace(
            sentence,
            id="3",
            document="d",
            comments=("# c",),
            token_sources=("given",) * count,
            columns={"pos": ("NN",) * count, "mine": ("x",) * count},
        )
    record = json.loads(json.dumps(record_of(sentence)))
    record[key] = record.pop("ner_tags")
    assert reader().sentence(record, WHERE) == replace(sentence, source=WHERE)


def test_a_record_has_no_key_for_what_a_sentence_has_not() -> None:
    assert record_of(Sentence(("a",), (None,))) == {"tokens": ("a",), "ner_tags": (None,)}


def test_names_hold_for_the_records_that_follow() -> None:
    read = reader()
    assert read.sentence({"names": ["O", "B-PER"]}, WHERE) is None
    first = read.sentence({"tokens": ["a", "b"], "ner_tags": [1, 0], "gold_tags": [0, 1]}, WHERE)
    assert first is not None
    assert (first.labels, first.gold) == (("B-PER", "O"), ("O", "B-PER"))
    second = read.sentence({"tokens": ["a"], "ner_tags": [1], "names": ["B-LOC", "O"]}, WHERE)
    assert second is not None
    assert second.labels == ("O",)


def test_keys_without_a_place_are_counted_once_a_name() -> None:
    tally, notes = Tally("file"), list[Note]()
    read = reader(tally)
    for _ in range(3):
        read.sentence({"tokens": ["a"], "ner_tags": ["O"], "score": 0.5, "pos_tags": [3]}, WHERE)
    tally.report(notes.append)
    assert {word for note in notes for word in ("score", "pos_tags") if word in note.detail} == {"score", "pos_tags"}
    assert len(notes) == 2


@pytest.mark.parametrize(
    ("record", "noun"),
    [
        ({}, "tokens"),
        ({"tokens": ["a"]}, "ner_tags"),
        ({"tokens": None, "ner_tags": []}, "tokens"),
        ({"tokens": "a", "ner_tags": ["O"]}, "tokens"),
        ({"tokens": ["a"], "labels": [0.5]}, "labels"),
        ({"tokens": ["a"], "ner_tags": ["O", "O"]}, "labels"),
        ({"tokens": ["a"], "ner_tags": ["O"], "gaps": [" "]}, "gaps"),
    ],
)
def test_a_record_that_is_no_sentence_is_refused_with_its_line(record: dict[str, object], noun: str) -> None:
    with pytest.raises(InputError, match=noun) as caught:
        reader().sentence(record, WHERE)
    assert str(caught.value).startswith("file:5")
    assert reader().sentence({"tokens": ["a"], "ner_tags": None}, WHERE) == Sentence(("a",), (None,), source=WHERE)
