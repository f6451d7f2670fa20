"""A real browser for tests of pages; where there is none they are left out, and say so."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = os.environ.get("TRUSTAG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium; name it in TRUSTAG_CHROMIUM")


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Give a browser that is closed afterwards."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
