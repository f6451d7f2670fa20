"""What a reviewer does in a real browser: open the page, press keys, write, look for the outcome.

Keys go to whatever has the focus, so these wait for the focus or for the page that a key is meant for.
"""

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from tests.review.served import Served

PATIENCE = 120_000  # milliseconds; a test machine may be busy


def start_review(browser: Browser, served: Served, name: str, width: int = 1100) -> Page:
    """Open the page as a new reviewer; any error or warning of the browser fails the test."""
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)

    def check(message: ConsoleMessage) -> None:
        # The browser also reports error responses, which the page handles.
        is_expected = "Failed to load resource" in message.text
        assert message.type not in {"error", "warning"} or is_expected, message.text

    page.on("console", check)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    page.goto(served.url)
    type_into(page, page.get_by_label("Your name"), name)
    page.keyboard.press("Enter")
    expect(page.locator("header")).to_contain_text(name)
    expect_ready(page)
    return page


def expect_ready(page: Page) -> None:
    """Wait until no request is under way and no field for text has the focus, so that keys reach the page."""
    expect(page.locator("body.waiting")).to_have_count(0)
    expect(page.locator("input:not([type=checkbox]):focus, textarea:focus, select:focus")).to_have_count(0)


def press(page: Page, key: str) -> None:
    """Press a key once the page is ready for it."""
    expect_ready(page)
    page.keyboard.press(key)


def type_into(page: Page, field: Locator, text: str) -> None:
    """Type into a field once it has the focus, and wait until the whole text is there."""
    expect(field).to_be_focused()
    page.keyboard.type(text)
    expect(field).to_have_value(text)


def write_comment(page: Page, text: str) -> None:
    press(page, "c")
    type_into(page, page.locator("textarea"), text)
    page.keyboard.press("Escape")
    expect_ready(page)


def open_query(page: Page, served: Served, query: str, words: list[str]) -> None:
    """Open the page with a query and wait for the issue on these words."""
    page.goto(f"http://127.0.0.1:{served.port}/?{query}")
    expect_issue(page, words)


def expect_issue(page: Page, words: list[str]) -> None:
    expect(page.locator(".at-issue .word")).to_have_text(words)


def expect_outcome(page: Page, words: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(words)
