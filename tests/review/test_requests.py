"""Requests: valid values are read, invalid ones ignored or refused."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException
from starlette.requests import Request

from trustag.errors import InputError
from trustag.review.issue_queue import IssueFilter
from trustag.review.pages import PageQuery
from trustag.review.requests import action_of, clean_name, query_of, read_form, reviewer_of
from trustag.review.security import LARGEST_REQUEST
from trustag.review.session import ReviewAction
from trustag.text.spans import Span


def request(*chunks: bytes, cookie: str = "") -> Request:
    bodies = list(chunks)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": bodies.pop(0), "more_body": bool(bodies)}

    return Request({"type": "http", "method": "POST", "headers": [(b"cookie", cookie.encode())]}, receive)


def test_a_form_is_read_in_chunks_with_blank_fields() -> None:
    fields = asyncio.run(read_form(request(b"word=New+Yo", b"rk&comment=&type=%C3%84")))
    assert fields == {"word": "New York", "comment": "", "type": "Ä"}


def test_a_form_that_grows_too_large_is_refused() -> None:
    with pytest.raises(HTTPException) as refused:
        asyncio.run(read_form(request(b"comment=", b"x" * LARGEST_REQUEST)))
    assert refused.value.status_code == 413


@pytest.mark.parametrize(
    ("cookie", "name"),
    [("", ""), ("trustag_reviewer=Ann", "Ann"), ("trustag_reviewer=J%C3%B6rg%20M.%E2%80%AE", "Jörg M.")],
)
def test_the_reviewer_comes_from_the_cookie(cookie: str, name: str) -> None:
    assert reviewer_of(request(b"", cookie=cookie)) == name


@given(name=st.text())
def test_a_clean_name_is_printable_short_and_stays_the_same(name: str) -> None:
    clean = clean_name(name)
    assert clean.isprintable()
    assert len(clean) <= 60
    assert clean_name(clean.strip()) == clean.strip()


def test_a_query_is_read_completely() -> None:
    fields = {
        "kind": "type",
        "type": "PER",
        "word": " reut ",
        "least": "0.5",
        "show": "decided",
        "order": "unsure",
        "issue": "0-1-2",
        "done": "17",
    }
    expected = PageQuery(IssueFilter("type", "PER", "reut", 0.5, "decided", "unsure"), "0-1-2", 17)
    assert query_of(fields) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "odd", "show": "odd", "order": "odd"},
        {"least": "nan"},
        {"least": "-1"},
        {"least": "1e999"},
        {"done": "9" * 40},
        {"done": "-1"},
        {"done": "½"},
    ],
)
def test_invalid_values_of_a_query_are_ignored(fields: dict[str, str]) -> None:
    assert query_of(fields) == PageQuery(IssueFilter())


def test_an_action_is_read_completely() -> None:
    form = {
        "issue": "0-1-2",
        "version": "3",
        "verdict": "edited",
        "comment": " why ",
        "spans": json.dumps([[0, 2, "PER"], [3, 4, "ORG"]]),
    }
    spans = (Span(0, 2, "PER"), Span(3, 4, "ORG"))
    expected = ReviewAction("0-1-2", 3, "edited", "Ann", "why", spans, for_identical=True)
    assert action_of(form, "Ann", for_identical=True) == expected


def test_only_edits_have_spans() -> None:
    form = {"issue": "0-1-2", "version": "odd", "verdict": "accepted", "spans": "odd"}
    assert action_of(form, "Ann", for_identical=False) == ReviewAction("0-1-2", -1, "accepted", "Ann")


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, "unknown verdict ''"),
        ({"verdict": "undone"}, "unknown verdict 'undone'"),
        ({"verdict": "accepted", "comment": "x" * 2001}, "the comment is too long; use at most 2,000 characters"),
        *(
            ({"verdict": "edited", "spans": spans}, "the edited entities cannot be read")
            for spans in ("", "1", "[[1]]", '[["a", 2, "PER"]]', '[[Infinity, 2, "PER"]]', "[" * 5000)
        ),
    ],
)
def test_a_form_that_the_page_never_sends_is_refused(form: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        action_of(form, "Ann", for_identical=False)
