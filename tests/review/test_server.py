"""The web application: what each request changes and returns, and the socket that it is served on."""

import json
import socket

import pytest

from tests.review.client import DECISION, KEY, OWN, ask
from tests.review.small_run import MONDAY, NEW_YORK, REUTERS, REUTERS_AGAIN, REUTERS_LAST, decide
from trustag.errors import InputError
from trustag.review.server import bind
from trustag.review.session import ReviewSession


def test_a_new_reviewer_is_asked_for_a_name_which_a_cookie_remembers(session: ReviewSession) -> None:
    page = ask(session, "/?word=reut", {"Cookie": "trustag_8000=secret"})
    assert "Who is reviewing?" in page.text
    named = ask(session, "/reviewer", {**KEY, **OWN}, {"reviewer": " J\u00f6rg ", "word": "reut"})
    assert (named.status_code, named.headers["location"]) == (303, "/?word=reut")
    assert named.headers["set-cookie"].startswith("trustag_reviewer=J%C3%B6rg;")
    undecided = ask(session, "/decide", {"Cookie": "trustag_8000=secret", **OWN}, DECISION)
    assert (undecided.status_code, session.progress().decided) == (303, 0)


def test_a_decision_leads_to_the_next_issue_of_the_filter(session: ReviewSession) -> None:
    saved = ask(session, "/decide", {**KEY, **OWN}, {**DECISION, "word": "reut"})
    assert saved.headers["location"] == f"/?word=reut&issue={REUTERS_AGAIN}&done=1"
    page = ask(session, saved.headers["location"], KEY).text
    assert "Accepted: \u201cReuters\u201d. Saved to disk." in page
    assert "1 of 6 decided" in page


def test_identical_cases_are_decided_with_one_request(session: ReviewSession) -> None:
    ask(session, "/decide?identical", {**KEY, **OWN}, DECISION)
    statuses = [session.status(session.issue(name)) for name in (REUTERS, REUTERS_AGAIN, REUTERS_LAST, MONDAY)]
    assert statuses == ["accepted", "accepted", "accepted", "open"]


def test_a_comment_stays_at_its_issue(session: ReviewSession) -> None:
    saved = ask(session, "/decide", {**KEY, **OWN}, {**DECISION, "verdict": "commented", "comment": "odd"})
    assert saved.headers["location"] == f"/?issue={REUTERS}&done=1"
    assert "Comment saved on \u201cReuters\u201d." in ask(session, saved.headers["location"], KEY).text


def test_a_conflict_shows_who_was_faster_and_keeps_the_comment(session: ReviewSession) -> None:
    decide(session, REUTERS, "rejected", reviewer="Bob")
    refused = ask(session, "/decide", {**KEY, **OWN}, {**DECISION, "comment": "my reason"})
    assert refused.status_code == 409
    assert "Not saved: Bob (rejected, " in refused.text
    assert "my reason</textarea>" in refused.text
    assert session.status(session.issue(REUTERS)) == "rejected"


def test_an_edit_that_cannot_be_saved_says_why_and_keeps_the_comment(session: ReviewSession) -> None:
    form = {**DECISION, "verdict": "edited", "spans": '[[0, 9, "PER"]]', "comment": "my reason"}
    refused = ask(session, "/decide", {**KEY, **OWN}, form)
    assert refused.status_code == 422
    assert "Not saved: the edited entities overlap or have an unknown type; reload the page." in refused.text
    assert "my reason</textarea>" in refused.text


def test_undo_returns_to_its_issue_and_says_so_if_there_is_nothing_to_undo(session: ReviewSession) -> None:
    assert "Nothing to undo" in ask(session, "/undo", {**KEY, **OWN}, {}).text
    decide(session, NEW_YORK, "accepted")
    undone = ask(session, "/undo", {**KEY, **OWN}, {"show": "all"})
    assert undone.headers["location"] == f"/?show=all&issue={NEW_YORK}&done=2"
    assert session.progress().decided == 0
    decide(session, NEW_YORK, "accepted")
    decide(session, NEW_YORK, "rejected", reviewer="Bob")
    refused = ask(session, "/undo", {**KEY, **OWN}, {})
    assert (refused.status_code, session.status(session.issue(NEW_YORK))) == (409, "rejected")


def test_decisions_are_downloaded_as_json_lines(session: ReviewSession) -> None:
    decide(session, REUTERS, "accepted")
    answer = ask(session, "/decisions.jsonl", KEY)
    assert answer.headers["content-disposition"] == 'attachment; filename="decisions.jsonl"'
    assert [json.loads(line)["issue"] for line in answer.text.splitlines()] == [REUTERS]


@pytest.mark.parametrize(
    ("name", "kind"), [("review.css", "text/css"), ("review.js", "text/javascript"), ("icon.svg", "image/svg+xml")]
)
def test_the_files_of_the_page_are_served(session: ReviewSession, name: str, kind: str) -> None:
    answer = ask(session, f"/static/{name}", {})
    assert answer.headers["content-type"].startswith(kind)
    assert answer.content


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2Fserver.py",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/given.jsonl",
        "/decisions.sqlite",
        "/static/",
    ],
)
def test_no_other_file_is_served(session: ReviewSession, path: str) -> None:
    assert ask(session, path, KEY).status_code == 404


def test_invalid_requests_are_answered_and_change_nothing(session: ReviewSession) -> None:
    for changes in ({"verdict": "undone"}, {"verdict": ""}, {"comment": "x" * 3000}):
        assert ask(session, "/decide", {**KEY, **OWN}, {**DECISION, **changes}).status_code == 400
    for spans in ("[[1]]", '[[1e400, 2, "PER"]]', '[[0.5, 2, "PER"]]', '[[NaN, 2, "PER"]]', "[" * 9_000):
        edit = {**DECISION, "verdict": "edited", "spans": spans}
        assert ask(session, "/decide", {**KEY, **OWN}, edit).status_code == 400
    assert ask(session, "/decide", {**KEY, **OWN}, {**DECISION, "issue": "x"}).status_code == 422
    assert ask(session, "/decide", {**KEY, **OWN}, {**DECISION, "version": "9" * 40}).status_code == 409
    for query in ("kind=odd", "least=nan", "least=-1e999", "show=x", "done=99999999999999999999", "issue=%00"):
        assert ask(session, f"/?{query}", KEY).status_code == 200
    assert session.progress().decided == 0


@pytest.mark.parametrize(
    ("host", "password"), [("0.0.0.0", None), ("::", None), ("0.0.0.0", "short"), ("example", None)]
)
def test_a_public_address_without_a_good_password_is_refused(host: str, password: str | None) -> None:
    with pytest.raises(InputError, match="password"):
        bind(host, 0, password)


def test_a_port_in_use_is_reported() -> None:
    address = bind("127.0.0.1", 0, None)
    with pytest.raises(InputError, match="choose another --port"):
        bind("127.0.0.1", address.access.port, None)
    address.listener.close()


def test_the_url_names_the_port_and_contains_the_token() -> None:
    address = bind("127.0.0.1", 0, None)
    with address.listener:
        port = address.listener.getsockname()[1]
        assert address.url == f"http://127.0.0.1:{port}/?token={address.access.token}"
        assert address.access.hosts == frozenset({f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"})
        socket.create_connection(("127.0.0.1", port)).close()
