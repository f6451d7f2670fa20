"""The page in a real browser: keys, filters, bulk decisions, edits, two reviewers, a dead server, a narrow screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browsers import needs_browser
from tests.review.in_browser import (
    expect_issue,
    expect_outcome,
    open_query,
    press,
    start_review,
    type_into,
    write_comment,
)
from tests.review.served import Served
from tests.review.small_run import SENTENCES, issue, write_run
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

pytestmark = needs_browser


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(write_run(tmp_path / "run"), options=("--order", "worst")).start()
    yield served
    served.stop()


def test_a_review_by_keyboard(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    assert "token" not in page.url
    expect_issue(page, ["Reuters"])
    expect(page.locator(".readings")).to_contain_text("Reuters PER")
    expect(page.locator(".readings")).to_contain_text("Reuters ORG")
    expect(page.locator(".context")).to_have_text("Reuters said so .")
    write_comment(page, "an agency")
    press(page, "a")
    expect_outcome(page, "Accepted: “Reuters”. Saved to disk.")
    expect(page.locator("header")).to_contain_text("1 of 6 decided, about 21% of the estimated errors covered")
    press(page, "r")
    expect_outcome(page, "Rejected: “Reuters”")
    press(page, "s")
    expect_outcome(page, "Skipped: “New York”")
    expect_issue(page, ["Ann", "Lee"])
    page.reload()  # the page resumes where it was
    expect(page.get_by_role("status")).to_have_text("")
    expect_issue(page, ["Ann", "Lee"])
    press(page, "u")
    expect_outcome(page, "Undone: “New York”")
    press(page, "u")
    expect_outcome(page, "Undone: “Reuters”")
    expect(page.locator("header")).to_contain_text("1 of 6 decided")
    press(page, "j")
    expect_issue(page, ["New", "York"])
    press(page, "k")
    expect_issue(page, ["Reuters"])
    open_query(page, served, "show=decided", ["Reuters"])
    expect(page.locator(".history")).to_contain_text("Ann: accepted")
    expect(page.locator(".history")).to_contain_text("an agency")


def test_the_page_lists_its_keys(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    keys = page.get_by_role("dialog")
    for closing in ("Escape", "?"):
        press(page, "?")
        expect(keys).to_be_visible()
        expect(keys).to_contain_text("accept the suggestion")
        press(page, "a")  # decides nothing while the list is open
        press(page, closing)
        expect(keys).to_be_hidden()
    expect(page.locator("header")).to_contain_text("0 of 6 decided")


def test_filters_and_identical_cases(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    press(page, "/")
    type_into(page, page.get_by_label("Word"), "reut")
    page.keyboard.press("Enter")
    expect(page.locator(".queue li")).to_have_count(3)
    expect(page.locator(".facts")).to_contain_text("1 of 3 in this list")
    press(page, "A")
    expect_outcome(page, "Accepted: “Reuters” and 2 more.")
    expect(page.locator("main h2")).to_have_text("No issues match the filter")
    page.get_by_text("Show all open issues").click()
    expect_issue(page, ["New", "York"])
    page.get_by_label("Kind").select_option("spurious")
    expect_issue(page, ["Monday"])
    expect(page.locator(".readings")).to_contain_text("no entity")
    press(page, "u")
    expect_outcome(page, "Undone: “Reuters” and 2 more.")
    expect(page.locator("header")).to_contain_text("0 of 6 decided")


def test_the_order_is_chosen_on_the_page_and_kept(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    words = page.locator(".queue .words")
    expect(words).to_have_text(["Reuters", "Reuters", "New York", "Ann Lee", "Monday", "Reuters"])
    page.get_by_label("Order").select_option("most uncertain first")
    expect(words).to_have_text(["Reuters", "Monday", "Ann Lee", "New York", "Reuters", "Reuters"])
    press(page, "a")
    expect_outcome(page, "Accepted: “Reuters”")
    expect_issue(page, ["Monday"])
    press(page, "j")
    expect_issue(page, ["Ann", "Lee"])
    page.reload()
    expect(words).to_have_text(["Monday", "Ann Lee", "New York", "Reuters", "Reuters"])
    page.get_by_label("Order").select_option("likeliest errors first")
    expect(words).to_have_text(["Reuters", "Reuters", "New York", "Ann Lee", "Monday"])


def test_edits_by_keyboard_and_by_mouse(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    open_query(page, served, "kind=missed", ["New", "York"])
    selected, suggested = page.locator(".selected .word"), page.locator(".mark.below.begins")
    press(page, "e")
    expect(selected).to_have_text(["New", "York"])
    press(page, "ArrowLeft")
    expect(selected).to_have_text(["New"])
    press(page, "Shift+ArrowLeft")
    expect(selected).to_have_text(["to", "New"])
    page.locator(".token", has_text="to").hover()
    page.mouse.down()
    expect(selected).to_have_text(["to"])
    page.locator(".token", has_text="York").hover()
    expect(selected).to_have_text(["to", "New", "York"])
    page.mouse.up()
    press(page, "2")  # LOC, ORG, PER
    expect(suggested).to_have_text("ORG")
    press(page, "Enter")
    expect_outcome(page, "Edited: “New York”")
    open_query(page, served, "show=decided", ["New", "York"])
    expect(page.locator(".readings")).to_contain_text("to New York ORG")
    press(page, "e")
    expect(page.locator(".edit-panel")).to_be_visible()
    press(page, "0")
    expect(suggested).to_have_count(0)
    press(page, "Escape")  # a cancelled edit changes nothing
    expect(page.locator(".verdicts")).to_be_visible()
    expect(suggested).to_have_text("ORG")


def test_two_people_do_not_overwrite_each_other(browser: Browser, served: Served) -> None:
    ann, bob = start_review(browser, served, "Ann"), start_review(browser, served, "Bob")
    press(ann, "a")
    expect_outcome(ann, "Accepted")
    write_comment(bob, "surely not")
    press(bob, "r")
    expect(bob.get_by_role("alert").first).to_contain_text("Not saved: Ann (accepted")
    expect(bob.locator("textarea")).to_have_value("surely not")
    expect(bob.locator(".status").first).to_have_text("accepted")
    press(bob, "r")  # Bob has seen it and insists
    expect_outcome(bob, "Rejected: “Reuters”")
    press(ann, "u")
    expect(ann.get_by_role("alert").first).to_contain_text("somebody has changed it since")


def test_a_dead_server_loses_nothing(browser: Browser, served: Served) -> None:
    page = start_review(browser, served, "Ann")
    press(page, "a")
    expect_outcome(page, "Saved to disk.")
    served.kill()
    write_comment(page, "still here")
    press(page, "r")
    expect(page.locator("#failure")).to_have_text("Not saved. The server is not responding. Restart it and try again.")
    expect(page.locator("textarea")).to_have_value("still here")
    press(page, "j")
    expect(page.locator("#failure")).to_contain_text("Not loaded.")
    served.start()
    press(page, "r")
    expect(page.locator("#failure")).to_contain_text("Not saved. Refused: open the address that trustag review printed")
    page.goto(served.url)
    expect(page.locator("header")).to_contain_text("1 of 6 decided")
    expect(page.locator("header")).to_contain_text("Ann")


def test_a_narrow_screen_and_a_strange_corpus(browser: Browser, tmp_path: Path) -> None:
    words = ("שלום", "<img src=x onerror=alert(1)>", "a\u202eb", "x" * 300, "many", "words", "follow", ".", "\u200b")
    corpus = [*SENTENCES, Sentence(words, ("B-LOC", *["O"] * 8))]
    issues = [issue(5, 0, 3, 0.9, Span(0, 3, "ORG"), corpus=corpus)]
    served = Served(write_run(tmp_path / "run", corpus, issues), options=("--order", "worst")).start()
    page = start_review(browser, served, "Ann", width=360)
    expect(page.locator(".at-issue .word").nth(1)).to_have_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#sentence")).to_have_css("direction", "rtl")
    press(page, "e")
    expect(page.locator(".edit-panel")).to_be_visible()
    press(page, "ArrowLeft")  # forward, as the sentence runs from right to left
    expect(page.locator(".selected .word")).to_have_text(["x" * 300])
    press(page, "Escape")
    expect(page.locator(".verdicts")).to_be_visible()
    expect(page.locator(".invisible").first).to_have_text("U+202E")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("Accept suggestion", "Reject", "Edit", "Skip"):
        expect(page.get_by_role("button", name=name).first).to_be_visible()
    page.get_by_role("button", name="Accept suggestion").click()
    expect(page.locator("main h2")).to_have_text("Everything is decided")
    served.stop()
