from itertools import pairwise

import pytest
from seqeval.metrics.sequence_labeling import get_entities

from tests.oracles import conlleval_phrases
from tests.random_labels import random_labellings
from trustag.text.spans import Span, read_spans


def seqeval_spans(labels: list[str]) -> list[Span]:
    return [Span(start, last + 1, kind) for kind, start, last in get_entities(labels)]


def conlleval_spans(labels: list[str]) -> list[Span]:
    return [Span(start, end, kind or "_") for start, end, kind in conlleval_phrases(labels)]


@pytest.mark.parametrize("letters", ["BI", "IE", "I", "B", "E"])
def test_reading_equals_conlleval_on_any_labels_it_knows(letters: str) -> None:
    for labels in random_labellings(1, 4000, letters):
        assert read_spans(labels) == conlleval_spans(labels), labels


@pytest.mark.parametrize("letters", ["BI", "IE", "BIE", "BIES", "S"])
def test_reading_equals_seqeval_on_any_labels_it_knows(letters: str) -> None:
    for labels in random_labellings(2, 4000, letters):
        assert read_spans(labels) == seqeval_spans(labels), labels


def joins_end_and_begin(labels: list[str]) -> bool:
    return any(a[0] == "E" and b[0] == "B" and a[1:] == b[1:] for a, b in pairwise(labels))


def test_only_a_begin_behind_an_end_parts_conlleval_from_seqeval() -> None:
    differing = 0
    for labels in random_labellings(3, 4000, "BIE"):
        if joins_end_and_begin(labels):
            assert conlleval_spans(labels) != seqeval_spans(labels) == read_spans(labels)
            differing += 1
        else:
            assert conlleval_spans(labels) == seqeval_spans(labels) == read_spans(labels)
    assert differing > 100


def test_neighbouring_entities_in_iobes_stay_separate_although_conlleval_joins_them() -> None:
    labels = ["B-PER", "E-PER", "B-PER", "E-PER"]
    assert conlleval_spans(labels) == [Span(0, 4, "PER")]
    assert read_spans(labels) == [Span(0, 2, "PER"), Span(2, 4, "PER")]


@pytest.mark.filterwarnings("ignore:.*seems not to be NE tag")
def test_neighbouring_units_in_bilou_stay_separate_although_seqeval_joins_them() -> None:
    labels = ["U-PER", "U-PER"]
    assert seqeval_spans(labels) == [Span(0, 2, "PER")]
    assert read_spans(labels) == [Span(0, 1, "PER"), Span(1, 2, "PER")]


@pytest.mark.parametrize("letters", ["BILU", "BMES"])
def test_other_alphabets_are_read_by_their_canonical_letters(letters: str) -> None:
    canonical = str.maketrans("LUM", "ESI")
    for labels in random_labellings(4, 2000, letters):
        plain = [label[0].translate(canonical) + label[1:] for label in labels]
        assert read_spans(labels) == read_spans(plain), labels


def test_an_unknown_label_ends_an_entity_as_outside_does() -> None:
    for labels in random_labellings(5, 2000, "BIES"):
        unknown = [None if label == "O" else label for label in labels]
        assert read_spans(unknown) == read_spans(labels)


def test_no_labels_and_outside_labels_give_no_entity() -> None:
    assert read_spans([]) == read_spans(["O", "O"]) == read_spans([None]) == []
