"""The list of keys on the page names every key that the page or its scripts react to."""

import re
from importlib.resources import files

import pytest

from tests.review.small_run import NEW_YORK, REUTERS
from trustag.review.pages import review_page
from trustag.review.requests import query_of
from trustag.review.session import ReviewSession
from trustag.review.shortcuts import SHORTCUTS

LISTED = {name for _, shortcuts in SHORTCUTS for names, _ in shortcuts for name in names}
SPELLED = {"Escape": "Esc", "Shift+Enter": "Enter", "ArrowDown": "↓", "ArrowUp": "↑"}


def listed(key: str) -> str:
    return "1" if key in set("23456789") else SPELLED.get(key, key)


@pytest.mark.parametrize("order", ["worst", "form"])
@pytest.mark.parametrize("issue", ["", NEW_YORK, REUTERS])
def test_every_key_of_the_page_is_listed(session: ReviewSession, order: str, issue: str) -> None:
    page = review_page(session, query_of({"issue": issue, "order": order}), "Ann")
    keys = set(re.findall(r'data-(?:edit-)?key="([^"]+)"', page))
    assert {"?", "c", "s", "u"} <= keys
    assert {listed(key) for key in keys} <= LISTED


def test_every_key_of_the_scripts_is_listed() -> None:
    scripts = files("trustag.review").joinpath("static")
    text = "".join(scripts.joinpath(name).read_text(encoding="utf-8") for name in ("review.js", "forms.js"))
    keys = set(re.findall(r'event\.key === "([^"]+)"', text)) | set(re.findall(r"\b(Arrow(?:Down|Up))\b", text))
    assert {"x", "?", "ArrowDown", "Escape"} <= keys
    assert {listed(key) for key in keys - {" ", "Delete", "Backspace"}} <= LISTED  # those also press 0, or a button
