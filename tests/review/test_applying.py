"""Decisions applied to the corpus: only what was decided changes, and every decided label is marked."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.small_run import ISSUES, SENTENCES
from trustag.notes import Note, unwatched
from trustag.review.applying import correct
from trustag.review.entries import ReviewDecision, Verdict
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import GIVEN, REVIEWED, Sentence
from trustag.text.spans import Span, read_spans


def decision_on(number: int, verdict: Verdict) -> ReviewDecision:
    issue = ISSUES[number]
    spans = issue.given if verdict == "rejected" else issue.suggested
    return ReviewDecision(issue.id, verdict, issue.sentence, issue.first, issue.end, spans, reviewer="Ann")


def test_accepted_labels_change_confirmed_ones_stay_and_both_are_marked() -> None:
    corrected = correct(SENTENCES, [decision_on(0, "accepted"), decision_on(4, "rejected")], Scheme.IOB2, unwatched)
    first, *_, last = corrected.sentences
    assert first.labels == ("B-PER", "O", "O", "O", "B-ORG", "O")
    assert first.token_sources == (*[GIVEN] * 4, REVIEWED, GIVEN)
    assert last.labels == SENTENCES[4].labels
    assert last.token_sources == (GIVEN, REVIEWED, GIVEN, GIVEN, GIVEN)
    assert [sentence.labels for sentence in corrected.sentences[1:4]] == [s.labels for s in SENTENCES[1:4]]
    assert [(change.before, change.after, change.changed) for change in corrected.changes] == [
        (("B-PER",), ("B-ORG",), 1),
        (("B-LOC",), ("B-LOC",), 0),
    ]


def test_without_decisions_nothing_changes() -> None:
    assert correct(SENTENCES, [], Scheme.IOB2, unwatched).sentences == SENTENCES


def test_existing_sources_stay_where_nothing_was_decided() -> None:
    sentence = Sentence(("a", "b"), ("O", "O"), token_sources=("dictionary", "rules"))
    decision = ReviewDecision("0-1-2", "accepted", 0, 1, 2, (Span(1, 2, "PER"),))
    (corrected,) = correct([sentence], [decision], Scheme.IOB2, unwatched).sentences
    assert (corrected.labels, corrected.token_sources) == (("O", "B-PER"), ("dictionary", REVIEWED))


def test_unknown_labels_become_known_only_where_they_were_decided() -> None:
    sentence = Sentence(("a", "b", "c", "d"), (None, None, None, "O"))
    decision = ReviewDecision("0-0-2", "edited", 0, 0, 2, (Span(1, 2, "PER"),))
    (corrected,) = correct([sentence], [decision], Scheme.IOB2, unwatched).sentences
    assert corrected.labels == ("O", "B-PER", None, "O")


def test_the_later_of_two_decisions_wins_and_is_reported() -> None:
    notes: list[Note] = []
    earlier = ReviewDecision("x", "edited", 2, 2, 5, (Span(2, 5, "LOC"),))
    corrected = correct(SENTENCES, [earlier, decision_on(2, "accepted")], Scheme.IOB2, notes.append)
    assert read_spans(corrected.sentences[2].labels) == [Span(3, 5, "LOC")]
    assert [note.reason for note in notes] == ["two decisions on the same words"]


def test_adjacent_entities_that_a_scheme_cannot_separate_are_reported() -> None:
    notes: list[Note] = []
    sentence = Sentence(("a", "b"), ("I-PER", "O"))
    decision = ReviewDecision("0-1-2", "accepted", 0, 1, 2, (Span(1, 2, "PER"),))
    correct([sentence], [decision], Scheme.IO, notes.append)
    assert [note.reason for note in notes] == ["adjacent entities merge"]


def spans_over(length: int) -> st.SearchStrategy[list[Span]]:
    def cut(choices: Sequence[tuple[int, str]]) -> list[Span]:
        spans, start = [], 0
        for size, kind in choices:
            if start + size > length:
                break
            if kind:
                spans.append(Span(start, start + size, kind))
            start += size
        return spans

    return st.lists(st.tuples(st.integers(1, 3), st.sampled_from(["", "PER", "LOC"])), max_size=length).map(cut)


@pytest.mark.parametrize("scheme", [Scheme.IOB1, Scheme.IOB2, Scheme.IOE1, Scheme.IOBES, Scheme.BILOU])
@given(data=st.data(), length=st.integers(1, 8))
def test_entities_are_those_decided_inside_and_those_given_outside(
    scheme: Scheme, data: st.DataObject, length: int
) -> None:
    before = data.draw(spans_over(length))
    plain = ["O"] * length
    for start, end, kind in before:
        plain[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
    labels = convert_labels(plain, scheme)
    first = data.draw(st.integers(0, length - 1))
    end = data.draw(st.integers(first + 1, length))
    inside = [Span(a + first, b + first, kind) for a, b, kind in data.draw(spans_over(end - first))]
    decision = ReviewDecision("x", "edited", 0, first, end, tuple(inside))
    sentence = Sentence(tuple("abcdefgh"[:length]), labels)
    (corrected,) = correct([sentence], [decision], scheme, unwatched).sentences
    untouched = [span for span in before if not set(range(*span[:2])) & set(range(first, end))]
    assert read_spans(corrected.labels) == sorted([*untouched, *inside])
    assert corrected.labels == convert_labels(corrected.labels, scheme)
    assert corrected.token_sources == tuple(REVIEWED if first <= i < end else GIVEN for i in range(length))
