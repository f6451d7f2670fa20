"""Settings of the whole test suite."""

import pytest
from hypothesis import settings

# A deadline would be a timing assertion: it fails on a busy machine and says nothing about the code.
settings.register_profile("trustag", deadline=None)
settings.load_profile("trustag")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if terminalreporter.stats.get("skipped"):
        from tests.browsers import report_missing_browser

        report_missing_browser(terminalreporter)
