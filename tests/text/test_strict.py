from typing import Any

import pytest
from seqeval import scheme as seqeval_schemes

from tests.oracles import intended_phrases, is_legal
from tests.random_labels import random_labellings
from trustag.errors import InputError
from trustag.text.schemes import Scheme
from trustag.text.spans import Span, read_spans
from trustag.text.strict import first_foreign_label, read_strict_spans

LETTERS = {
    Scheme.IO: "I",
    Scheme.IOB1: "BI",
    Scheme.IOB2: "BI",
    Scheme.IOE1: "IE",
    Scheme.IOE2: "IE",
    Scheme.IOBES: "BIES",
    Scheme.BILOU: "BILU",
    Scheme.BMES: "BMES",
}
SEQEVAL: dict[Scheme, Any] = {
    Scheme.IOB1: seqeval_schemes.IOB1,
    Scheme.IOB2: seqeval_schemes.IOB2,
    Scheme.IOE1: seqeval_schemes.IOE1,
    Scheme.IOE2: seqeval_schemes.IOE2,
    Scheme.IOBES: seqeval_schemes.IOBES,
    Scheme.BILOU: seqeval_schemes.BILOU,
}


def seqeval_spans(labels: list[str], scheme: Scheme) -> list[Span]:
    found = seqeval_schemes.Entities([labels], SEQEVAL[scheme]).entities[0]
    return [Span(entity.start, entity.end, entity.tag) for entity in found]


@pytest.mark.parametrize("scheme", SEQEVAL)
def test_strict_reading_equals_seqeval_on_any_labels(scheme: Scheme) -> None:
    for labels in random_labellings(11, 2500, LETTERS[scheme]):
        assert read_strict_spans(labels, scheme) == seqeval_spans(labels, scheme), labels


@pytest.mark.parametrize("scheme", [scheme for scheme in Scheme if scheme is not Scheme.IOE1])
def test_legal_labels_lose_nothing_by_strict_reading(scheme: Scheme) -> None:
    legal = [labels for labels in random_labellings(12, 4000, LETTERS[scheme]) if is_legal(labels, scheme)]
    assert len(legal) > 50
    for labels in legal:
        intended = [Span(a, b, kind or "_") for a, b, kind in intended_phrases(labels, scheme)]
        assert read_strict_spans(labels, scheme) == intended, labels


def test_an_entity_that_begins_with_end_is_not_seen_in_ioe1_as_in_seqeval() -> None:
    labels = ["E-PER", "I-PER", "O"]
    assert is_legal(labels, "IOE1")
    assert read_spans(labels) == [Span(0, 1, "PER"), Span(1, 2, "PER")]
    assert read_strict_spans(labels, Scheme.IOE1) == seqeval_spans(labels, Scheme.IOE1) == [Span(1, 2, "PER")]


def test_bmes_is_read_as_iobes_with_another_letter() -> None:
    for labels in random_labellings(13, 1000, "BMES"):
        renamed = [label.replace("M", "I", 1) if label[0] == "M" else label for label in labels]
        assert read_strict_spans(labels, Scheme.BMES) == read_strict_spans(renamed, Scheme.IOBES)


def test_io_is_read_without_faults_to_find() -> None:
    for labels in random_labellings(14, 1000, "I"):
        assert read_strict_spans(labels, Scheme.IO) == read_spans(labels)


def test_an_orphan_is_no_entity_in_strict_reading() -> None:
    labels = ["I-PER", "I-PER", "O", "B-LOC"]
    assert read_spans(labels) == [Span(0, 2, "PER"), Span(3, 4, "LOC")]
    assert read_strict_spans(labels, Scheme.IOB2) == [Span(3, 4, "LOC")]


def test_a_type_keeps_its_outer_hyphens_although_seqeval_strips_them() -> None:
    labels = ["B--x-", "I-x"]
    assert seqeval_spans(labels, Scheme.IOB2) == [Span(0, 2, "x")]
    assert read_strict_spans(labels, Scheme.IOB2) == [Span(0, 1, "-x-")]


def test_unknown_labels_count_as_outside() -> None:
    for labels in random_labellings(15, 1000, "BIES"):
        unknown = [None if label == "O" else label for label in labels]
        assert read_strict_spans(unknown, Scheme.IOBES) == read_strict_spans(labels, Scheme.IOBES)


@pytest.mark.parametrize("scheme", SEQEVAL)
def test_labels_foreign_to_the_scheme_are_refused_as_seqeval_refuses_them(scheme: Scheme) -> None:
    for labels in random_labellings(16, 300, "BIESLU"):
        foreign = first_foreign_label(labels, scheme)
        assert foreign == next((t for t, label in enumerate(labels) if label[0] not in LETTERS[scheme] + "O"), None)
        if foreign is not None:
            with pytest.raises(
                InputError, match=f"token {foreign + 1}: label .* does not exist in the scheme {scheme}"
            ):
                read_strict_spans(labels, scheme)
            with pytest.raises(ValueError, match="Invalid token"):
                seqeval_spans(labels, scheme)
