"""The page to try sentences, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, expect

from tests.browsers import needs_browser, open_browser
from tests.serving.served_model import ServedModel
from tests.serving.small_model import expected

TEXT = "😀 Ann <b>Lee</b> met\nBob & Ünï in New York"
TOKEN = "0123456789abcdef"


@needs_browser
@pytest.mark.slow
def test_a_visitor_enters_the_token_and_sees_the_entities(model: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    with ServedModel(model, "--token-file", str(tmp_path / "token")) as served, open_browser() as browser:
        page = browser.new_page()
        page.set_default_timeout(60_000)
        expect.set_options(timeout=60_000)

        def check(message: ConsoleMessage) -> None:
            assert message.type not in {"error", "warning"} or "401" in message.text, message.text

        page.on("console", check)
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.goto(served.url)
        expect(page.get_by_role("status")).to_contain_text("Authorization: Bearer TOKEN")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_label("Token").press("Tab")
        expect(page.locator("#about")).to_have_text("It finds PER, LOC.")
        page.get_by_label("Text").fill(TEXT)
        page.get_by_role("button", name="Find entities").click()
        entities = expected(model, TEXT)[0]
        assert entities
        expect(page.locator("mark")).to_have_count(len(entities))
        expect(page.locator("tbody tr")).to_have_count(len(entities))
        rows = [[cell.text_content() for cell in row.locator("td").all()] for row in page.locator("tbody tr").all()]
        assert [(row[0], row[1], row[3]) for row in rows] == [
            (one["text"], one["label"], f"{one['start']}–{one['end']}") for one in entities
        ]
        expect(page.locator("#marked b")).to_have_count(0)
        page.locator("#least").fill("100")
        page.get_by_label("Text").press("Control+Enter")
        expect(page.get_by_role("status")).to_have_text("0 entities")
