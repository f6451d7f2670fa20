"""A real browser for the tests that need one: where to find it, how to install it, and what to say if there is none.

``python -m tests.browsers`` installs Chromium if no browser is found and the system allows it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
REASON = "needs Chromium or Chrome"
INSTALLATION_SECONDS = 600


def find_browser() -> str | None:
    """Return the path of Chromium or Chrome: a named one, one of the system, or the one playwright has installed."""
    found = os.environ.get("TRUSTAG_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        with sync_playwright() as playwright:
            own = playwright.chromium.executable_path
        found = own if Path(own).exists() else None
    return found


def install_browser() -> None:
    """Install Chromium if this is root on a Debian-like system; without success the tests will say what is missing."""
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    sys.stdout.write("Installing chromium for the browser tests\n")
    sys.stdout.flush()
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt_get = ["apt-get", "-qq", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20"]
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        try:
            subprocess.run(
                [*apt_get, *arguments], env=environment, capture_output=True, check=False, timeout=INSTALLATION_SECONDS
            )
        except subprocess.TimeoutExpired:
            return


CHROMIUM = find_browser()

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason=REASON)


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Yield a browser that is closed afterwards."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def report_missing_browser(reporter: pytest.TerminalReporter) -> None:
    """Replace the list of tests that were skipped for lack of a browser by one line that says how to run them."""
    skipped = reporter.stats.get("skipped", [])
    not_run = [report for report in skipped if isinstance(report.longrepr, tuple) and REASON in report.longrepr[2]]
    if not not_run:
        return
    reporter.stats["skipped"] = [report for report in skipped if report not in not_run]
    reporter.stats.setdefault("deselected", []).extend(not_run)
    what = "1 browser test was" if len(not_run) == 1 else f"{len(not_run)} browser tests were"
    reporter.write_line(
        f"{what} NOT RUN: found no Chromium or Chrome. Install one (apt-get install chromium) or set TRUSTAG_CHROMIUM "
        "to its path, and run the tests again.",
        yellow=True,
    )


if __name__ == "__main__" and CHROMIUM is None:
    install_browser()
