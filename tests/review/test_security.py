"""Who gets in, who does not, and that nothing from the corpus becomes part of the page."""

import asyncio
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from tests.review.small_run import REUTERS, issue, write_run
from trustag.errors import InputError
from trustag.review.decisions import DecisionLog
from trustag.review.desk import Desk
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.security import LARGEST_REQUEST, Access
from trustag.review.server import application, bind
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

HOST = "127.0.0.1:8000"
OWN = {"Host": HOST, "Origin": f"http://{HOST}"}
KEY = {"Cookie": "trustag_8000=secret; trustag_reviewer=Ann"}
DECISION = {"issue": REUTERS, "version": "0", "verdict": "accepted"}


def desk_of(folder: Path) -> Desk:
    run = open_reviewed_run(folder)
    return Desk(run, DecisionLog(run.decisions, run.fingerprint))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = desk_of(write_run(tmp_path / "run"))
    yield desk
    desk.close()


def ask(
    desk: Desk,
    path: str,
    headers: dict[str, str],
    form: dict[str, str] | bytes | None = None,
    password: str | None = None,
) -> httpx.Response:
    hosts = None if password else frozenset({HOST, "localhost:8000"})
    app = application(desk, Access("secret", 8000, hosts, password))

    async def answer() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=f"http://{HOST}") as client:
            if form is None:
                return await client.get(path, headers=headers)
            if isinstance(form, bytes):
                return await client.post(path, headers=headers, content=form)
            return await client.post(path, headers=headers, data=form)

    return asyncio.run(answer())


def test_the_key_in_the_address_opens_the_page_and_is_kept_in_a_cookie(desk: Desk) -> None:
    opened = ask(desk, "/?token=secret", {})
    assert opened.status_code == 200
    cookie = opened.headers["set-cookie"]
    assert cookie.startswith("trustag_8000=secret;")
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert ask(desk, "/", KEY).status_code == 200


@pytest.mark.parametrize("path", ["/", "/decisions.jsonl", "/?token=wrong", "/?token=", "/?token=%C3%A9"])
@pytest.mark.parametrize("cookie", ["", "trustag_8000=wrong", "trustag_9000=secret", "trustag_8000="])
def test_nobody_gets_in_without_it(desk: Desk, path: str, cookie: str) -> None:
    refused = ask(desk, path, {"Cookie": cookie} if cookie else {})
    assert refused.status_code == 403
    assert "set-cookie" not in refused.headers


def test_a_wrong_key_gets_no_right_one_with_a_file_that_needs_none(desk: Desk) -> None:
    answer = ask(desk, "/static/review.css?token=wrong", {})
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:9000", ""])
def test_the_page_answers_to_its_own_name_only(desk: Desk, host: str) -> None:
    assert ask(desk, "/?token=secret", {"Host": host}).status_code == 421
    assert ask(desk, "/?token=secret", {"Host": "LOCALHOST:8000"}).status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:9000", "file://"])
def test_other_sites_change_nothing(desk: Desk, origin: str | None) -> None:
    headers = {**KEY, **({"Origin": origin} if origin else {})}
    for path in ("/decide", "/undo", "/reviewer"):
        assert ask(desk, path, headers, DECISION).status_code == 403
    desk.refresh()
    assert desk.progress().decided == 0
    assert ask(desk, "/decide", {**KEY, **OWN}, DECISION).status_code == 303
    assert desk.progress().decided == 1


def test_large_requests_are_refused(desk: Desk) -> None:
    large = b"comment=" + b"x" * LARGEST_REQUEST
    assert ask(desk, "/decide", {**KEY, **OWN}, large).status_code == 413
    assert ask(desk, "/decide", {**KEY, **OWN, "Content-Length": "-1"}, b"").status_code == 413
    assert ask(desk, "/decide", {**KEY, **OWN}, {**DECISION, "comment": "x" * 3000}).status_code == 422


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
def test_no_file_but_its_own_is_reachable(desk: Desk, path: str) -> None:
    assert ask(desk, path, KEY).status_code == 404


def test_every_answer_forbids_foreign_content(desk: Desk) -> None:
    for path, headers in (("/", KEY), ("/", {}), ("/static/review.js", {}), ("/nowhere", KEY)):
        answer = ask(desk, path, headers)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_strange_requests_are_answered_and_change_nothing(desk: Desk) -> None:
    for changes in ({"verdict": "undone"}, {"verdict": ""}, {"issue": "x"}, {"verdict": "edited", "spans": "[[1]]"}):
        assert ask(desk, "/decide", {**KEY, **OWN}, {**DECISION, **changes}).status_code == 422
    assert ask(desk, "/decide", {**KEY, **OWN}, {**DECISION, "version": "9" * 40}).status_code == 409
    for query in ("kind=odd", "least=nan", "least=-1e999", "show=x", "done=99999999999999999999", "issue=%00"):
        assert ask(desk, f"/?{query}", KEY).status_code == 200
    assert desk.progress().decided == 0


def test_other_machines_need_a_password(desk: Desk) -> None:
    assert ask(desk, "/", {"Host": "review.example"}, password="correct horse").headers["location"] == "/login"
    headers = {"Host": "review.example", "Origin": "http://review.example"}
    wrong = ask(desk, "/login", headers, {"password": "battery"}, password="correct horse")
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (403, False)
    right = ask(desk, "/login", headers, {"password": "correct horse"}, password="correct horse")
    assert right.headers["set-cookie"].startswith("trustag_8000=secret;")
    other = {**headers, "Origin": "http://evil.example"}
    assert ask(desk, "/login", other, {"password": "correct horse"}, password="correct horse").status_code == 403
    assert ask(desk, "/login", {}).status_code == 403  # without a password there is no such page


@pytest.mark.parametrize(
    ("host", "password"), [("0.0.0.0", None), ("::", None), ("0.0.0.0", "short"), ("example", None)]
)
def test_listening_to_others_without_a_good_password_is_refused(host: str, password: str | None) -> None:
    with pytest.raises(InputError, match="password"):
        bind(host, 0, password)


def test_a_port_that_is_taken_is_told() -> None:
    address = bind("127.0.0.1", 0, None)
    with pytest.raises(InputError, match="choose another --port"):
        bind("127.0.0.1", address.access.port, None)
    address.listener.close()


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a\u202eb\u200bc",
    "'&amp;",
    "{{7*7}}",
    "שלום",
)


class Elements(HTMLParser):
    """Collects the elements and attributes of a page, and its visible text."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[dict[str, str | None]] = []
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag == "script":
            self.scripts.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_hostile_corpus_stays_text(tmp_path: Path) -> None:
    types = ("B-<b>x", 'B-"onclick=', "O", "O", "O", "O")
    corpus = [Sentence(HOSTILE, types, id="<i>", document='"><svg onload=x>'), Sentence(HOSTILE, types, document="<x>")]
    issues = [issue(0, 0, 3, 0.9, Span(0, 3, "</p><b>x"), corpus=corpus)]
    desk = desk_of(write_run(tmp_path / "run", corpus, issues))
    reviewer = {"Cookie": "trustag_8000=secret; trustag_reviewer=%3Cimg%20src%3Dx%3E"}
    form = {"issue": issues[0].id, "version": "0", "verdict": "commented", "comment": "<script>x</script>"}
    assert ask(desk, "/decide", {**reviewer, **OWN}, form).status_code == 303
    page = ask(desk, "/?word=%3Cscript%3E", reviewer).text
    found = Elements()
    found.feed(page)
    assert found.scripts == [{"src": "/static/review.js", "defer": None}]
    assert not found.names & {"img", "svg", "i", "x", "style"}
    assert not [name for name in found.attributes if name.startswith("on") or name == "style"]
    assert "<script>alert(1)</script>" in found.text
    assert "U+202E" in found.text
    assert "U+200B" in found.text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b-\u200f]", page.split("data-working")[0])
    desk.close()
