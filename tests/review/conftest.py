"""A session on the small run and a browser, for all tests of the review page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browsers import open_browser
from tests.review.small_run import open_session, write_run
from trustag.review.session import ReviewSession


@pytest.fixture
def session(tmp_path: Path) -> Iterator[ReviewSession]:
    session = open_session(write_run(tmp_path / "run"))
    yield session
    session.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as browser:
        yield browser
