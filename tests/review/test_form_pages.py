"""What the page of a form shows: every place with its words around it, the most doubtful first."""

from pathlib import Path

import pytest

from tests.review.small_run import REUTERS_AGAIN, SENTENCES, issue, open_session, write_run
from tests.review.test_form_decisions import FORM, decide_form
from trustag.issues.forms import Form
from trustag.review import form_pages
from trustag.review.form_pages import form_values
from trustag.review.session import ReviewAction, ReviewSession
from trustag.text.sentences import Sentence
from trustag.text.spans import Span


def form_of(session: ReviewSession, name: str = FORM) -> Form:
    form = session.queue.form(name)
    assert form is not None
    return form


def test_every_place_stands_in_its_sentence_the_most_doubtful_first(session: ReviewSession) -> None:
    values = form_values(session, form_of(session), None)
    rows = values["places"]
    assert [row.place for row in rows] == ["0-4-5", "1-0-1", "3-0-1"]
    assert [row.doubt for row in rows] == [0.95, 0.90, 0.55]
    for row in rows:
        tokens = SENTENCES[int(row.place[0])].tokens
        assert " ".join(filter(None, (row.before, row.words, row.after))) == " ".join(tokens)
    assert [row.seen for row in rows] == ["ORG"] * 3
    assert (values["words"], values["likely"], values["open"], values["hidden"]) == ("Reuters", "ORG", 3, 0)


def test_a_refused_action_keeps_its_exceptions(session: ReviewSession) -> None:
    action = ReviewAction(FORM, 0, "edited", "Ann", label="ORG", exceptions=frozenset({"1-0-1"}))
    rows = form_values(session, form_of(session), action)["places"]
    assert [row.is_exception for row in rows] == [False, True, False]


def test_decided_places_and_the_history_are_shown(session: ReviewSession) -> None:
    decide_form(session, FORM, "edited", "ORG", "Ann", "1-0-1")
    values = form_values(session, form_of(session), None)
    assert {row.place: row.is_open for row in values["places"]} == {"0-4-5": False, "1-0-1": True, "3-0-1": False}
    assert values["open"] == 1
    assert values["decision"].verdict == "accepted", "models see just that label"
    assert [(one.verdict, undone) for one, undone in values["history"]] == [("accepted", False)]
    assert session.status(session.issue(REUTERS_AGAIN)) == "open"


def test_of_long_sentences_only_some_words_are_shown(tmp_path: Path) -> None:
    corpus = [Sentence((*"abcdefghijklm", "Reuters", *"nopqrstuvwxyz"), (*["O"] * 13, "B-PER", *["O"] * 13))]
    issues = [issue(0, 13, 14, 0.5, Span(13, 14, "ORG"), corpus=corpus)]
    session = open_session(write_run(tmp_path / "run", corpus, issues))
    (row,) = form_values(session, form_of(session), None)["places"]
    assert (row.before, row.words, row.after) == ("… e f g h i j k l m", "Reuters", "n o p q r s t u v …")
    session.close()


def test_of_very_many_places_the_rest_is_counted(session: ReviewSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(form_pages, "_MOST_ROWS", 2)
    values = form_values(session, form_of(session), None)
    assert (len(values["places"]), values["hidden"], values["open"]) == (2, 1, 3)
