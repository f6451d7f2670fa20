"""The page of a form in a real browser: one key for all places, exceptions by keyboard and mouse, a narrow screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browsers import needs_browser
from tests.review.in_browser import expect_issue, expect_outcome, expect_ready, press, start_review, write_comment
from tests.review.served import Served
from tests.review.small_run import SENTENCES, issue, write_run
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

pytestmark = needs_browser


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(write_run(tmp_path / "run"), options=("--by", "form")).start()
    yield served
    served.stop()


def test_forms_by_keyboard(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    words, marks = page.locator(".form-words"), page.locator(".places mark")
    expect(words).to_have_text("Reuters")
    expect(page.locator(".facts")).to_contain_text("3 occurrences, 3 open")
    expect(page.locator(".readings")).to_contain_text("ORG 3 times")
    expect(marks).to_have_text(["Reuters"] * 3)
    expect(page.locator(".place").nth(1)).to_have_text("Reuters said so .")
    write_comment(page, "an agency")
    press(page, "ArrowDown")
    press(page, "ArrowDown")
    press(page, "x")
    expect(page.locator(".places :checked")).to_have_count(1)
    press(page, "a")  # also while a place has the focus
    expect_outcome(page, "Accepted: “Reuters” at 2 places. Saved to disk.")
    expect(page.locator("header")).to_contain_text("2 of 6 decided")
    press(page, "u")
    expect_outcome(page, "Undone: “Reuters” at 2 places.")
    expect(words).to_have_text("Reuters")
    expect(page.locator(".history")).to_contain_text("an agency")
    press(page, "0")
    expect_outcome(page, "Edited: “Reuters” at 3 places.")
    expect(page.locator("header")).to_contain_text("3 of 6 decided")
    form = words.inner_text()
    press(page, "d")
    expect_outcome(page, f"Depends: “{form}”. Saved to disk.")
    expect(words).not_to_have_text(form)
    press(page, "k")
    press(page, "s")
    expect_outcome(page, "Skipped")


def test_types_by_key_and_exceptions_by_mouse(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    page.get_by_label("Word").fill("york")
    page.get_by_label("Word").press("Enter")
    expect(page.locator(".form-words")).to_have_text("New York")
    page.locator(".places input").check()
    press(page, "1")
    expect(page.get_by_role("alert").first).to_contain_text("Not saved: no occurrence is left to be decided")
    expect(page.locator(".places :checked")).to_have_count(1)  # what was marked stays marked
    page.locator(".places input").uncheck()
    press(page, "2")  # LOC, ORG, PER
    expect_outcome(page, "Edited: “New York” at 1 place.")
    expect(page.locator("main h2")).to_have_text("No issues match the filter")
    page.get_by_label("Status").select_option("decided")
    expect(page.locator(".form-words")).to_have_text("New York")
    expect(page.locator(".readings")).to_contain_text("ORG everywhere")


def test_a_place_can_be_opened_to_change_its_boundaries(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    page.locator(".queue a", has_text="Ann").click()
    expect(page.locator(".form-words")).to_have_text("Ann")
    expect(page.locator(".places small")).to_contain_text("other boundaries")
    page.get_by_role("link", name="open").click()
    expect_issue(page, ["Ann", "Lee"])
    press(page, "a")
    expect_outcome(page, "Accepted: “Ann Lee”")
    expect(page.locator(".queue")).not_to_contain_text("Ann")


def test_forms_and_places_in_turn(browser: Browser, tmp_path: Path) -> None:
    served = Served(write_run(tmp_path / "run"), options=("--by", "mixed")).start()
    page = start_review(browser, served, "Ann")
    expect(page.locator(".form-words")).to_have_text("Reuters")
    press(page, "r")
    expect_issue(page, ["Monday"])
    press(page, "a")
    expect_outcome(page, "Accepted: “Monday”")
    expect_issue(page, ["Ann", "Lee"])
    page.get_by_label("Order").select_option("forms")
    expect(page.locator(".form-words")).to_be_visible()
    served.stop()


def test_a_form_on_a_narrow_screen_with_strange_words(browser: Browser, tmp_path: Path) -> None:
    words = ("<b>x</b>", "a\u202eb", "y" * 200)
    corpus = [*SENTENCES, *(Sentence((*words, word), ("B-LOC", "I-LOC", "I-LOC", "O")) for word in "pq")]
    issues = [issue(number, 0, 3, 0.5, Span(0, 3, "ORG"), corpus=corpus) for number in (5, 6)]
    served = Served(write_run(tmp_path / "run", corpus, issues), options=("--by", "form")).start()
    page = start_review(browser, served, "Ann", width=360)
    expect(page.locator(".form-words")).to_contain_text("<b>x</b>")
    expect(page.locator(".form-words .invisible")).to_have_text("U+202E")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    expect_ready(page)
    page.get_by_role("button", name="It depends").click()
    expect_outcome(page, "Depends:")
    served.stop()
