"""Access to the page: who gets in, who does not, and the security headers of every response."""

import pytest
from starlette.responses import Response

from tests.review.client import DECISION, KEY, OWN, ask
from trustag.review.security import LARGEST_REQUEST, Access
from trustag.review.session import ReviewSession


def test_the_token_in_the_url_gives_access_and_is_stored_in_a_cookie(session: ReviewSession) -> None:
    opened = ask(session, "/?token=secret", {})
    assert opened.status_code == 200
    cookie = opened.headers["set-cookie"]
    assert cookie.startswith("trustag_8000=secret;")
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert ask(session, "/", KEY).status_code == 200


@pytest.mark.parametrize("path", ["/", "/decisions.jsonl", "/?token=wrong", "/?token=", "/?token=%C3%A9"])
@pytest.mark.parametrize("cookie", ["", "trustag_8000=wrong", "trustag_9000=secret", "trustag_8000="])
def test_nobody_gets_in_without_the_token(session: ReviewSession, path: str, cookie: str) -> None:
    refused = ask(session, path, {"Cookie": cookie} if cookie else {})
    assert refused.status_code == 403
    assert "set-cookie" not in refused.headers


def test_a_wrong_token_is_not_exchanged_for_the_right_one_on_public_files(session: ReviewSession) -> None:
    answer = ask(session, "/static/review.css?token=wrong", {})
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:9000", ""])
def test_only_the_own_host_names_are_accepted(session: ReviewSession, host: str) -> None:
    assert ask(session, "/?token=secret", {"Host": host}).status_code == 421
    assert ask(session, "/?token=secret", {"Host": "LOCALHOST:8000"}).status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:9000", "file://"])
def test_other_sites_cannot_change_anything(session: ReviewSession, origin: str | None) -> None:
    headers = {**KEY, **({"Origin": origin} if origin else {})}
    for path in ("/decide", "/undo", "/reviewer"):
        assert ask(session, path, headers, DECISION).status_code == 403
    session.refresh()
    assert session.progress().decided == 0
    assert ask(session, "/decide", {**KEY, **OWN}, DECISION).status_code == 303
    assert session.progress().decided == 1


def test_large_requests_are_refused(session: ReviewSession) -> None:
    large = b"comment=" + b"x" * LARGEST_REQUEST
    assert ask(session, "/decide", {**KEY, **OWN}, large).status_code == 413
    assert ask(session, "/decide", {**KEY, **OWN, "Content-Length": "-1"}, b"").status_code == 413
    assert ask(session, "/decide", {**KEY, **OWN}, {**DECISION, "comment": "x" * 3000}).status_code == 400


def test_every_response_forbids_foreign_content(session: ReviewSession) -> None:
    for path, headers in (("/", KEY), ("/", {}), ("/static/review.js", {}), ("/nowhere", KEY)):
        answer = ask(session, path, headers)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_other_machines_need_a_password(session: ReviewSession) -> None:
    assert ask(session, "/", {"Host": "review.example"}, password="correct horse").headers["location"] == "/login"
    headers = {"Host": "review.example", "Origin": "http://review.example"}
    wrong = ask(session, "/login", headers, {"password": "battery"}, password="correct horse")
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (403, False)
    right = ask(session, "/login", headers, {"password": "correct horse"}, password="correct horse")
    assert right.headers["set-cookie"].startswith("trustag_8000=secret;")
    other = {**headers, "Origin": "http://evil.example"}
    assert ask(session, "/login", other, {"password": "correct horse"}, password="correct horse").status_code == 403
    assert ask(session, "/login", {}).status_code == 403  # without a password there is no login page


def test_the_token_and_the_password_are_compared_as_bytes() -> None:
    access = Access("secret", 8000, None, "correct horse")
    assert [access.is_token(text) for text in ("secret", "Secret", "", "sécret")] == [True, False, False, False]
    assert [access.is_password(text) for text in ("correct horse", "", "é")] == [True, False, False]
    assert not Access("secret", 8000, None).is_password("")


def test_every_port_has_its_own_cookie() -> None:
    access = Access("secret", 8123, None)
    response = Response()
    access.set_cookie(response)
    assert response.headers["set-cookie"].startswith(f"{access.cookie}=secret;")
    assert access.cookie == "trustag_8123"
