from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import intended_phrases, is_legal
from tests.random_labels import random_labellings
from trustag.errors import InputError
from trustag.text.labels import Label
from trustag.text.schemes import (
    Scheme,
    convert_labels,
    detect_scheme,
    illegal_labels,
    merged_by,
    parse_scheme,
    scheme_of_pairs,
    write_spans,
)
from trustag.text.spans import Span, read_spans

EXACT_SCHEMES = [scheme for scheme in Scheme if scheme is not Scheme.IO]
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
schemes = st.sampled_from(Scheme)
exact_schemes = st.sampled_from(EXACT_SCHEMES)
any_labels = st.lists(
    st.none()
    | st.just("O")
    | st.builds("{}{}".format, st.sampled_from("BIESLUM"), st.sampled_from(["", "-a", "-b-c"])),
    max_size=8,
)


@st.composite
def spans_in_sentences(draw: st.DrawFn) -> tuple[list[Span], list[Label]]:
    """Entities that do not overlap, often side by side, and a sentence of unlabelled tokens around them."""
    spans = []
    end = 0
    for gap, length, kind in draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from(["a", "b-c", "_"])), max_size=5)
    ):
        spans.append(Span(end + gap, end + gap + length, kind))
        end += gap + length
    base = draw(st.lists(st.sampled_from(["O", None]), min_size=end, max_size=end + 2))
    return spans, base


@given(spans_in_sentences(), exact_schemes, exact_schemes)
def test_any_scheme_to_any_other_and_back_loses_nothing(
    case: tuple[list[Span], list[Label]], first: Scheme, second: Scheme
) -> None:
    spans, base = case
    labels = write_spans(spans, base, first)
    assert read_spans(labels) == spans
    assert convert_labels(convert_labels(labels, second), first) == labels


@given(spans_in_sentences())
def test_io_loses_only_the_boundaries_it_reports(case: tuple[list[Span], list[Label]]) -> None:
    spans, base = case
    merges = merged_by(Scheme.IO, spans)
    joined = read_spans(write_spans(spans, base, Scheme.IO))
    assert len(joined) == len(spans) - len(merges)
    assert {span.start for span in spans} - {span.start for span in joined} == {right.start for _, right in merges}
    assert all(merged_by(scheme, spans) == [] for scheme in EXACT_SCHEMES)


@given(spans_in_sentences(), schemes)
def test_unknown_stays_unknown_outside_entities_and_nothing_else_is(
    case: tuple[list[Span], list[Label]], scheme: Scheme
) -> None:
    spans, base = case
    labels = write_spans(spans, base, scheme)
    covered = {token for span in spans for token in range(span.start, span.end)}
    for token, (label, known) in enumerate(zip(labels, base, strict=True)):
        assert (label is None) == (known is None and token not in covered)


@given(spans_in_sentences(), schemes)
def test_written_labels_are_legal(case: tuple[list[Span], list[Label]], scheme: Scheme) -> None:
    labels = write_spans(*case, scheme)
    assert is_legal(labels, scheme)
    assert illegal_labels(labels, scheme) == []


@pytest.mark.parametrize("scheme", Scheme)
def test_labels_are_legal_exactly_when_converting_changes_nothing(scheme: Scheme) -> None:
    legal = 0
    for letters in (LETTERS[scheme], "BIESLUM"):
        for labels in random_labellings(6, 2000, letters, kinds=("-PER", "-LOC")):
            expected = is_legal(labels, scheme)
            assert (convert_labels(labels, scheme) == tuple(labels)) == expected, labels
            assert (illegal_labels(labels, scheme) == []) == expected, labels
            legal += expected
    assert legal > 100


@pytest.mark.parametrize("scheme", Scheme)
def test_legal_labels_are_read_as_meant(scheme: Scheme) -> None:
    legal = [labels for labels in random_labellings(7, 6000, LETTERS[scheme]) if is_legal(labels, scheme)]
    assert len(legal) > 50
    for labels in legal:
        assert read_spans(labels) == [Span(a, b, kind or "_") for a, b, kind in intended_phrases(labels, scheme)]


@given(any_labels, exact_schemes)
def test_repairs_are_legal_and_say_what_conlleval_reads(labels: list[Label], scheme: Scheme) -> None:
    repaired = list(labels)
    for token, before, after in illegal_labels(labels, scheme):
        assert repaired[token] == before
        repaired[token] = after
    assert tuple(repaired) == convert_labels(labels, scheme)
    assert read_spans(repaired) == read_spans(labels)
    assert is_legal(repaired, scheme)


def test_the_untyped_type_may_be_spelled_out() -> None:
    assert illegal_labels(["B-_", "I", "O"], Scheme.IOB2) == []
    assert detect_scheme([["B-_", "I", "O"]]).against == 0


@given(spans_in_sentences(), schemes)
def test_detection_finds_a_scheme_that_writes_the_same_labels(
    case: tuple[list[Span], list[Label]], scheme: Scheme
) -> None:
    labels = write_spans(*case, scheme)
    evidence = detect_scheme([labels])
    assert evidence.against == 0
    assert convert_labels(labels, evidence.scheme) == labels


@pytest.mark.parametrize("scheme", Scheme)
def test_schemes_are_detected_from_a_distinctive_sentence(scheme: Scheme) -> None:
    spans = [Span(0, 3, "a"), Span(3, 4, "a"), Span(4, 6, "b")]
    labels = write_spans(spans, ["O"] * 7, scheme)
    assert detect_scheme([["O"], labels, []]).scheme is scheme


@given(st.lists(any_labels, max_size=3))
def test_nothing_speaks_against_a_scheme_exactly_when_every_label_is_legal_in_it(corpus: list[list[Label]]) -> None:
    evidence = detect_scheme(corpus)
    assert (evidence.against == 0) == all(is_legal(labels, evidence.scheme) for labels in corpus)
    assert (evidence.against == 0) == (not any(illegal_labels(labels, evidence.scheme) for labels in corpus))


@pytest.mark.parametrize("scheme", Scheme)
def test_labels_legal_in_some_scheme_are_never_held_against_it(scheme: Scheme) -> None:
    legal = 0
    for labels in random_labellings(8, 4000, LETTERS[scheme]):
        evidence = detect_scheme([labels])
        assert (evidence.against == 0) == is_legal(labels, evidence.scheme), labels
        if is_legal(labels, scheme):
            assert evidence.against == 0, labels
            legal += 1
    assert legal > 50


def test_counted_pairs_say_the_same_as_the_labels() -> None:
    labellings = list(random_labellings(9, 200, "BIE"))
    pairs: Counter[tuple[Label, Label]] = Counter(
        pair for labels in labellings for pair in pairwise(["O", *labels, "O"])
    )
    assert scheme_of_pairs(pairs) == detect_scheme(labellings)


def test_a_corpus_without_entities_is_called_iob2() -> None:
    corpora: list[list[list[Label]]] = [[], [[]], [["O", None]]]
    for corpus in corpora:
        evidence = detect_scheme(corpus)
        assert (evidence.scheme, evidence.against) == (Scheme.IOB2, 0)


def test_one_stray_label_does_not_change_the_scheme() -> None:
    good = write_spans([Span(0, 2, "a"), Span(3, 4, "b")], ["O"] * 5, Scheme.IOB2)
    evidence = detect_scheme([good] * 9 + [["O", "I-a", "O"]])
    assert (evidence.scheme, evidence.against) == (Scheme.IOB2, 1)


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("bio", "IOB2"), ("IOB", "IOB2"), ("BioEs", "IOBES"), ("biluo", "BILOU"), ("bmeso", "BMES"), ("iob1", "IOB1")],
)
def test_schemes_go_by_their_usual_names(name: str, scheme: str) -> None:
    assert parse_scheme(name) is Scheme(scheme)


def test_an_unknown_scheme_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown tagging scheme 'XYZ'; choose one of: IO, IOB1, .*BILUO"):
        parse_scheme("XYZ")
