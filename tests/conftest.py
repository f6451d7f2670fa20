"""Settings of the whole test suite."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

# A deadline would be a timing assertion: it fails on a busy machine and says nothing about the code.
settings.register_profile("trustag", deadline=None)
settings.load_profile("trustag")


@pytest.fixture(autouse=True, scope="session")
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test read or write the cache of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUSTAG_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if terminalreporter.stats.get("skipped"):
        from tests.browsers import report_missing_browser

        report_missing_browser(terminalreporter)
