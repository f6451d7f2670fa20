"""The page in a real browser: keys, filters, bulk decisions, edits, two people, a dead server, a narrow screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.browsers import needs_browser, open_browser
from tests.review.served import Served
from tests.review.small_run import SENTENCES, issue, write_run
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

PATIENCE = 120_000  # milliseconds; machines that test may be busy

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(write_run(tmp_path / "run")).start()
    yield served
    served.stop()


def sit_down(browser: Browser, served: Served, name: str, width: int = 1100) -> Page:
    """Open the page as somebody who has not been there yet; whatever the browser complains of fails the test."""
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)

    def complain(message: ConsoleMessage) -> None:
        # The browser also lists answers that the page knows how to deal with.
        is_expected = "Failed to load resource" in message.text
        assert message.type not in {"error", "warning"} or is_expected, message.text

    page.on("console", complain)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(served.url)
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.locator("header")).to_contain_text(name)
    return page


def tell(page: Page, words: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(words)


def test_a_review_by_keyboard(browser: Browser, served: Served) -> None:
    page = sit_down(browser, served, "Ann")
    assert "token" not in page.url
    expect(page.locator(".at-issue .word")).to_have_text(["Reuters"])
    expect(page.locator(".readings")).to_contain_text("Reuters PER")
    expect(page.locator(".readings")).to_contain_text("Reuters ORG")
    expect(page.locator(".context")).to_have_text("Reuters said so .")
    page.keyboard.press("c")
    page.keyboard.type("an agency")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    tell(page, "Accepted: “Reuters”. It is on disk.")
    expect(page.locator("header")).to_contain_text("1 of 6 decided, about 21 % of the estimated errors covered")
    page.keyboard.press("r")
    tell(page, "Rejected: “Reuters”")
    page.keyboard.press("s")
    tell(page, "Skipped: “New York”")
    expect(page.locator(".at-issue .word")).to_have_text(["Ann", "Lee"])
    page.reload()  # and one is where one was
    expect(page.locator(".at-issue .word")).to_have_text(["Ann", "Lee"])
    page.keyboard.press("u")
    tell(page, "Taken back: “New York”")
    page.keyboard.press("u")
    tell(page, "Taken back: “Reuters”")
    expect(page.locator("header")).to_contain_text("1 of 6 decided")
    page.keyboard.press("j")
    expect(page.locator(".at-issue .word")).to_have_text(["New", "York"])
    page.keyboard.press("k")
    expect(page.locator(".at-issue .word")).to_have_text(["Reuters"])
    page.goto(f"http://127.0.0.1:{served.port}/?show=decided")
    expect(page.locator(".history")).to_contain_text("Ann: accepted")
    expect(page.locator(".history")).to_contain_text("an agency")


def test_filters_and_identical_cases(browser: Browser, served: Served) -> None:
    page = sit_down(browser, served, "Ann")
    page.keyboard.press("/")
    page.keyboard.type("reut")
    page.keyboard.press("Enter")
    expect(page.locator(".queue li")).to_have_count(3)
    expect(page.locator(".facts")).to_contain_text("1 of 3 in this list")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("A")
    tell(page, "Accepted: “Reuters” and 2 more.")
    expect(page.locator("h2")).to_have_text("Nothing here fits the filter")
    page.get_by_text("Show what is open").click()
    expect(page.locator(".at-issue .word")).to_have_text(["New", "York"])
    page.get_by_label("Kind").select_option("spurious")
    expect(page.locator(".at-issue .word")).to_have_text(["Monday"])
    expect(page.locator(".readings")).to_contain_text("no entity")
    page.keyboard.press("u")
    tell(page, "Taken back: “Reuters” and 2 more.")
    expect(page.locator("header")).to_contain_text("0 of 6 decided")


def test_the_order_is_chosen_on_the_page_and_kept(browser: Browser, served: Served) -> None:
    page = sit_down(browser, served, "Ann")
    words = page.locator(".queue .words")
    expect(words).to_have_text(["Reuters", "Reuters", "New York", "Ann Lee", "Monday", "Reuters"])
    page.get_by_label("First").select_option("models least sure")
    expect(words).to_have_text(["Reuters", "Monday", "Ann Lee", "New York", "Reuters", "Reuters"])
    page.locator("h1").click()
    page.keyboard.press("a")
    tell(page, "Accepted: “Reuters”")
    expect(page.locator(".at-issue .word")).to_have_text(["Monday"])
    page.keyboard.press("j")
    expect(page.locator(".at-issue .word")).to_have_text(["Ann", "Lee"])
    page.reload()
    expect(words).to_have_text(["Monday", "Ann Lee", "New York", "Reuters", "Reuters"])
    page.get_by_label("First").select_option("likeliest errors")
    expect(words).to_have_text(["Reuters", "Reuters", "New York", "Ann Lee", "Monday"])


def test_edits_by_keyboard_and_by_mouse(browser: Browser, served: Served) -> None:
    page = sit_down(browser, served, "Ann")
    page.goto(f"http://127.0.0.1:{served.port}/?kind=missed")
    page.keyboard.press("e")
    expect(page.locator(".marked .word")).to_have_text(["New", "York"])
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".marked .word")).to_have_text(["New"])
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(".marked .word")).to_have_text(["to", "New"])
    page.locator(".token", has_text="to").hover()
    page.mouse.down()
    page.locator(".token", has_text="York").hover()
    page.mouse.up()
    expect(page.locator(".marked .word")).to_have_text(["to", "New", "York"])
    page.keyboard.press("2")  # LOC, ORG, PER
    expect(page.locator(".mark.below.begins")).to_have_text("ORG")
    page.keyboard.press("Enter")
    tell(page, "Edited: “New York”")
    page.goto(f"http://127.0.0.1:{served.port}/?show=decided")
    expect(page.locator(".readings")).to_contain_text("to New York ORG")
    page.keyboard.press("e")
    page.keyboard.press("0")
    page.keyboard.press("Escape")  # an edit that is left changes nothing
    expect(page.locator(".deciding")).to_be_visible()
    expect(page.locator(".mark.below.begins")).to_have_text("ORG")


def test_two_people_do_not_overwrite_each_other(browser: Browser, served: Served) -> None:
    ann, bob = sit_down(browser, served, "Ann"), sit_down(browser, served, "Bob")
    ann.keyboard.press("a")
    tell(ann, "Accepted")
    bob.keyboard.press("c")
    bob.keyboard.type("surely not")
    bob.keyboard.press("Escape")
    bob.keyboard.press("r")
    expect(bob.get_by_role("alert").first).to_contain_text("Not saved: Ann (accepted")
    expect(bob.locator("textarea")).to_have_value("surely not")
    expect(bob.locator(".state").first).to_have_text("accepted")
    bob.keyboard.press("r")  # having seen it, Bob insists
    tell(bob, "Rejected: “Reuters”")
    ann.keyboard.press("u")
    expect(ann.get_by_role("alert").first).to_contain_text("somebody has decided on it since")


def test_a_dead_server_loses_nothing(browser: Browser, served: Served) -> None:
    page = sit_down(browser, served, "Ann")
    page.keyboard.press("a")
    tell(page, "It is on disk.")
    served.kill()
    page.keyboard.press("c")
    page.keyboard.type("still here")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.locator(".lost")).to_contain_text("Not saved. The server does not answer.")
    expect(page.locator("textarea")).to_have_value("still here")
    served.start()
    page.keyboard.press("r")
    expect(page.locator(".lost")).to_contain_text("open the address that trustag review printed")
    page.goto(served.url)
    expect(page.locator("header")).to_contain_text("1 of 6 decided")
    expect(page.locator("header")).to_contain_text("Ann")


def test_a_narrow_screen_and_a_strange_corpus(browser: Browser, tmp_path: Path) -> None:
    words = ("שלום", "<img src=x onerror=alert(1)>", "a\u202eb", "x" * 300, "many", "words", "follow", ".", "\u200b")
    corpus = [*SENTENCES, Sentence(words, ("B-LOC", *["O"] * 8))]
    issues = [issue(5, 0, 3, 0.9, Span(0, 3, "ORG"), corpus=corpus)]
    served = Served(write_run(tmp_path / "run", corpus, issues)).start()
    page = sit_down(browser, served, "Ann", width=360)
    expect(page.locator(".at-issue .word").nth(1)).to_have_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#sentence")).to_have_css("direction", "rtl")
    page.keyboard.press("e")
    page.keyboard.press("ArrowLeft")  # the sentence goes from right to left
    expect(page.locator(".marked .word")).to_have_text(["x" * 300])
    page.keyboard.press("Escape")
    expect(page.locator(".deciding")).to_be_visible()
    expect(page.locator(".unseen").first).to_have_text("U+202E")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("Accept the suggestion", "Reject", "Edit", "Skip"):
        expect(page.get_by_role("button", name=name).first).to_be_visible()
    page.get_by_role("button", name="Accept the suggestion").click()
    expect(page.locator("h2")).to_have_text("Everything is decided")
    served.stop()
