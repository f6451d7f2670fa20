"""The report in a real browser: a summary on one screen, everything else folded, one click or a link away."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browsers import needs_browser, open_browser
from tests.reports.random_run import ISSUES, SENTENCES
from tests.reports.written import FullRun
from trustag.reports.run_report import SECTIONS, write_report

pytestmark = [needs_browser, pytest.mark.slow]

SCREEN = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    report = write_report(FullRun(SENTENCES, ISSUES).write(tmp_path / "run"))
    page = browser.new_page(viewport=SCREEN)  # type: ignore[arg-type] # two numbers
    page.goto(report.as_uri())
    yield page
    page.close()


def test_the_summary_fits_one_screen_and_the_rest_is_folded(page: Page) -> None:
    assert page.eval_on_selector("#summary", "section => section.getBoundingClientRect().bottom") < SCREEN["height"]
    assert page.evaluate("document.documentElement.scrollHeight") < 2 * SCREEN["height"]
    assert page.locator("details.section").count() == len(SECTIONS) - 1
    assert page.locator("details.section[open]").count() == 0
    expect(page.locator("#data-map")).to_be_hidden()


def test_a_link_opens_the_section_it_leads_to(page: Page) -> None:
    page.get_by_role("link", name="Data map").click()
    expect(page.locator("#data-map")).to_be_visible()
    expect(page.locator("#data-map-title")).to_be_in_viewport()
    assert page.locator("details.section[open]").count() == 1


def test_every_section_is_printed(page: Page) -> None:
    page.emulate_media(media="print")
    for section in page.locator("section").all():
        assert section.evaluate("section => section.getBoundingClientRect().height") > 30
        assert section.evaluate("section => section.checkVisibility({contentVisibilityAuto: true})")
