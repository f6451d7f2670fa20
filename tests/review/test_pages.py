"""The page of an issue: what it shows, its URLs, and that nothing from the corpus becomes markup."""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.review.client import OWN, ask
from tests.review.small_run import (
    ISSUES,
    MONDAY,
    NEW_YORK,
    REUTERS,
    REUTERS_AGAIN,
    REUTERS_LAST,
    SENTENCES,
    decide,
    issue,
    open_session,
    write_run,
)
from trustag.review.issue_queue import IssueFilter
from trustag.review.pages import PageQuery, render, review_page
from trustag.review.requests import query_of
from trustag.review.session import ReviewProgress, ReviewSession
from trustag.text.sentences import Sentence
from trustag.text.spans import Span


def text_of(page: str) -> str:
    """Return the visible text of a page with single spaces, and one between blocks."""
    blocks = re.sub(r"</?(dd|dt|div|h2|li|p|span)\b[^>]*>", " ", page)
    return " ".join(unescape(re.sub(r"<[^>]*>", "", blocks)).split())


@pytest.mark.parametrize(
    ("query", "url"),
    [
        (PageQuery(IssueFilter()), "/?"),
        (PageQuery(IssueFilter(show="open", least=0.0), "0-1-2"), "/?issue=0-1-2"),
        (PageQuery(IssueFilter(kind="type", word="a&b"), done=4), "/?kind=type&word=a%26b"),
        (
            PageQuery(IssueFilter(type="PER", least=0.5, show="all", order="unsure")),
            "/?type=PER&least=0.5&show=all&order=unsure",
        ),
    ],
)
def test_urls_contain_only_what_differs_from_the_default(query: PageQuery, url: str) -> None:
    assert query.url() == url


def test_urls_can_change_a_value() -> None:
    assert PageQuery(IssueFilter(word="x"), "0-1-2").url(issue="3-4-5", done=7) == "/?word=x&issue=3-4-5&done=7"


def test_an_issue_is_shown_in_its_sentence_with_both_readings_and_its_context(session: ReviewSession) -> None:
    text = text_of(review_page(session, query_of({}), "Ann"))
    assert (
        "type open 1 of 6 in this list score 0.95 suggestion preferred in 50% of epochs given.jsonl:1, document one"
        in text
    )
    assert "Reuters said so ." in text  # the next sentence of the document
    assert "Given Reuters PER probability 5.0% Suggested Reuters ORG probability 95.0%" in text
    assert "Accept all 3 identical cases" in text
    assert "History" not in text


def test_a_place_leads_to_its_form_where_that_settles_more_than_identical_cases(tmp_path: Path) -> None:
    session = open_session(write_run(tmp_path / "run", SENTENCES, ISSUES[1:]))
    decide(session, REUTERS_AGAIN, "accepted")
    page = review_page(session, query_of({"issue": REUTERS_LAST}), "Ann")
    assert "l All like this: Reuters as PER, 3 times" in text_of(page)
    address = unescape(re.findall(r'<a href="([^"]+)" class="swapped button" data-key="l"', page)[0])
    form = dict(parse_qsl(address.removeprefix("/?")))["issue"]
    assert "3 occurrences, 2 open" in text_of(review_page(session, query_of({"issue": form}), "Ann"))
    session.close()


def test_sentences_of_another_document_are_no_context(session: ReviewSession) -> None:
    text = text_of(review_page(session, query_of({"issue": MONDAY}), "Ann"))
    assert "Reuters asked Bob ." in text
    last_of_its_document = text_of(review_page(session, query_of({"issue": NEW_YORK}), "Ann"))
    assert "Reuters asked Bob ." not in last_of_its_document


def test_a_decided_issue_shows_the_decision_and_its_history(session: ReviewSession) -> None:
    decide(session, NEW_YORK, "edited", Span(2, 5, "ORG"))
    text = text_of(review_page(session, query_of({"issue": NEW_YORK}), "Bob"))
    assert "Suggested New York LOC probability 80.0% Decided to New York ORG" in text
    assert "History Ann: edited" in text
    session.undo("Ann")
    text = text_of(review_page(session, query_of({"issue": NEW_YORK}), "Bob"))
    assert "Ann: edited (later undone)" in text
    assert "Decided" not in text


def test_an_issue_that_no_longer_matches_the_filter_stays_visible(session: ReviewSession) -> None:
    decide(session, REUTERS, "accepted")
    page = review_page(session, query_of({"issue": REUTERS}), "Ann")
    assert "in this list" not in page
    assert page.count('<a href="/?issue=') == len(ISSUES) - 1 + 1  # the queue, and the link to the next issue


def test_an_empty_queue_says_why(session: ReviewSession, tmp_path: Path) -> None:
    assert "No issues match the filter" in review_page(session, query_of({"word": "nowhere"}), "Ann")
    for one in ISSUES:
        decide(session, one.id, "rejected")
    assert "Everything is decided" in review_page(session, query_of({}), "Ann")
    clean = open_session(write_run(tmp_path / "clean", SENTENCES, []))
    assert "No labels in this run look wrong" in review_page(clean, query_of({}), "Ann")
    clean.close()


def test_pages_before_the_review_have_a_focused_field() -> None:
    name = render("name.html", query=query_of({}), progress=ReviewProgress(1_234, 5_000, 0.5))
    assert "1,234 of 5,000 issues decided." in name
    for page in (name, render("login.html", is_wrong=True)):
        assert re.search(r"<input name=\"(reviewer|password)\" [^>]*\bautofocus\b", page)


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a\u202eb\u200bc",
    "'&amp;",
    "{{7*7}}",
    "שלום",
)


class Elements(HTMLParser):
    """Collects the elements, attributes and visible text of a page."""

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
    session = open_session(write_run(tmp_path / "run", corpus, issues))
    reviewer = {"Cookie": "trustag_8000=secret; trustag_reviewer=%3Cimg%20src%3Dx%3E"}
    form = {"issue": issues[0].id, "version": "0", "verdict": "commented", "comment": "<script>x</script>"}
    assert ask(session, "/decide", {**reviewer, **OWN}, form).status_code == 303
    page = ask(session, "/?word=%3Cscript%3E", reviewer).text
    found = Elements()
    found.feed(page)
    assert found.scripts == [{"src": f"/static/{name}.js", "defer": None} for name in ("review", "forms")]
    assert not found.names & {"img", "svg", "i", "x", "style"}
    assert not [name for name in found.attributes if name.startswith("on") or name == "style"]
    assert "<script>alert(1)</script>" in found.text
    assert "U+202E" in found.text
    assert "U+200B" in found.text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b-\u200f]", page.split("data-working")[0])
    session.close()
