"""Decisions on forms: one action for all places, exceptions, what depends, undo, and what becomes of the corpus."""

from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from tests.review.small_run import (
    ANN_LEE,
    ISSUES,
    MONDAY,
    REUTERS,
    REUTERS_LAST,
    SENTENCES,
    decide,
    issue,
    open_session,
    write_run,
)
from trustag.errors import InputError
from trustag.issues.forms import find_forms
from trustag.notes import unwatched
from trustag.review.applying import correct
from trustag.review.decisions import ConflictError
from trustag.review.entries import Verdict
from trustag.review.form_decisions import OpenPlaces
from trustag.review.issue_queue import IssueFilter
from trustag.review.session import ReviewAction, ReviewSession
from trustag.text.sentences import REVIEWED, Sentence
from trustag.text.spans import Span

FORM = 'form ["PER", "Reuters"]'
NEW_YORK_FORM = 'form [null, "New", "York"]'


def decide_form(
    session: ReviewSession, name: str, verdict: Verdict, label: str = "O", reviewer: str = "Ann", *exceptions: str
) -> int:
    version = session.state.version(name)
    action = ReviewAction(name, version, verdict, reviewer, label=label, exceptions=frozenset(exceptions))
    return len(session.decide(action))


def labels_after(session: ReviewSession) -> list[tuple[str | None, ...]]:
    decisions = session.state.final_decisions()
    corrected = correct(session.run.sentences, decisions, session.run.scheme, unwatched)
    return [sentence.labels for sentence in corrected.sentences]


def reviewed_places(session: ReviewSession) -> list[tuple[int, int]]:
    decisions = session.state.final_decisions()
    corrected = correct(session.run.sentences, decisions, session.run.scheme, unwatched)
    return [
        (number, token)
        for number, sentence in enumerate(corrected.sentences)
        for token, source in enumerate(sentence.token_sources or ())
        if source == REVIEWED
    ]


def test_one_decision_settles_every_place(session: ReviewSession) -> None:
    assert decide_form(session, FORM, "edited", "ORG") == 4
    labels = labels_after(session)
    assert (labels[0][4], labels[1][0], labels[3][0]) == ("B-ORG",) * 3
    assert reviewed_places(session) == [(0, 4), (1, 0), (3, 0)]
    assert session.status(session.issue(REUTERS)) == "accepted"
    assert session.progress().decided == 3
    assert session.status(session.queue.forms[session.queue.rank[FORM] - len(ISSUES)]) == "accepted"


def test_right_everywhere_confirms_the_given_labels(session: ReviewSession) -> None:
    decide_form(session, FORM, "rejected")
    assert labels_after(session) == [sentence.labels for sentence in session.run.sentences]
    assert reviewed_places(session) == [(0, 4), (1, 0), (3, 0)]
    assert session.status(session.issue(REUTERS)) == "rejected"


def test_wrong_everywhere_removes_the_entities(session: ReviewSession) -> None:
    decide_form(session, FORM, "edited", "O")
    labels = labels_after(session)
    assert (labels[0][4], labels[1][0], labels[3][0]) == ("O",) * 3


def test_a_missed_form_becomes_entities(session: ReviewSession) -> None:
    decide_form(session, NEW_YORK_FORM, "edited", "LOC")
    assert labels_after(session)[2] == ("O", "O", "O", "B-LOC", "I-LOC", "O")


def test_exceptions_stay_open(session: ReviewSession) -> None:
    decide_form(session, FORM, "edited", "ORG", "Ann", REUTERS)
    assert labels_after(session)[0][4] == "B-PER"
    assert session.status(session.issue(REUTERS)) == "open"
    assert (0, 4) not in reviewed_places(session)


def test_if_it_depends_nothing_is_settled_and_the_form_does_not_come_back(session: ReviewSession) -> None:
    by_form = IssueFilter(order="form")
    before = [session.queue.items[rank].words for rank in session.ranks(by_form)]
    assert decide_form(session, FORM, "depends") == 1
    assert session.state.final_decisions() == []
    assert [session.queue.items[rank].words for rank in session.ranks(by_form)] == [w for w in before if w != "Reuters"]
    assert session.status(session.issue(REUTERS)) == "open"


def test_places_that_were_decided_one_by_one_are_left_alone(session: ReviewSession) -> None:
    decide(session, REUTERS, "rejected", reviewer="Bob")
    decide_form(session, FORM, "edited", "ORG")
    labels = labels_after(session)
    assert (labels[0][4], labels[1][0], labels[3][0]) == ("B-PER", "B-ORG", "B-ORG")


def test_a_form_is_decided_when_all_its_places_are(session: ReviewSession) -> None:
    decide(session, REUTERS, "accepted", identical=True)
    form = session.queue.form(FORM)
    assert form is not None
    assert session.status(form) == "decided"
    with pytest.raises(InputError, match="no occurrence is left"):
        decide_form(session, FORM, "edited", "ORG")
    session.undo("Ann")
    assert session.status(form) == "open"


def test_an_undo_takes_back_the_whole_decision(session: ReviewSession) -> None:
    decide_form(session, FORM, "edited", "ORG")
    assert len(session.undo("Ann")) == 4
    assert session.state.final_decisions() == []
    assert session.progress().decided == 0
    assert session.state.on_forms() == []


def test_nobody_overwrites_a_decision_on_a_form(session: ReviewSession) -> None:
    decide_form(session, FORM, "depends", reviewer="Bob")
    with pytest.raises(ConflictError):
        session.decide(ReviewAction(FORM, 0, "rejected", "Ann"))


def test_an_issue_that_only_reaches_further_is_settled_too(session: ReviewSession) -> None:
    decide_form(session, 'form ["PER", "Ann"]', "edited", "O")
    assert labels_after(session)[0][:2] == ("O", "O")
    assert session.status(session.issue(ANN_LEE)) == "edited"


def test_an_issue_with_further_given_entities_stays_open(tmp_path: Path) -> None:
    corpus = (Sentence(("New", "York", "Times"), ("B-LOC", "I-LOC", "B-PER")),)
    whole = issue(0, 0, 3, 0.9, Span(0, 3, "ORG"), corpus=corpus)
    session = open_session(write_run(tmp_path / "run", corpus, [whole]))
    decide_form(session, 'form ["LOC", "New", "York"]', "rejected")
    assert session.status(session.issue(whole.id)) == "open"
    session.close()


def test_actions_that_a_page_never_sends_are_refused(session: ReviewSession) -> None:
    with pytest.raises(InputError, match="unknown type"):
        decide_form(session, FORM, "edited", "EVENT")
    with pytest.raises(InputError, match="decided by its right label"):
        decide_form(session, FORM, "accepted")
    with pytest.raises(InputError, match="no occurrence is left"):
        decide_form(session, FORM, "rejected", "O", "Ann", REUTERS, "1-0-1", REUTERS_LAST)
    with pytest.raises(InputError, match="only a form can depend"):
        decide(session, MONDAY, "depends")
    with pytest.raises(InputError, match="there is no issue"):
        session.issue(FORM)
    assert list(session.state.entries()) == []


def test_forms_survive_a_restart(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    first = open_session(folder)
    decide_form(first, FORM, "edited", "ORG", "Ann", REUTERS_LAST)
    first.close()
    again = open_session(folder)
    form = again.queue.form(FORM)
    assert form is not None
    assert again.status(form) == "accepted"
    assert [place.id for place in again.places.of(form)] == [REUTERS_LAST]
    again.close()


@drawn(st.lists(st.tuples(st.integers(0, 4), st.frozensets(st.integers(0, 5))), max_size=12))
def test_open_places_are_counted_as_if_anew(changes: list[tuple[int, frozenset[int]]]) -> None:

    forms = find_forms(SENTENCES, ISSUES)
    places = OpenPlaces(forms)
    decided: dict[int, frozenset[int]] = {}
    for sentence, tokens in changes:
        decided[sentence] = tokens
        touched = {forms[number].text for number in places.note_decided(sentence, tokens)}
        assert touched == {form.text for form in forms if any(p.sentence == sentence for p in form.occurrences)}
    for number, form in enumerate(forms):
        is_open = [
            decided.get(place.sentence, frozenset()).isdisjoint(range(place.first, place.end))
            for place in form.occurrences
        ]
        assert places.counts[number] == sum(is_open) == len(places.of(form))
