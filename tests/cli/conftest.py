"""A folder with a small corpus and a finished baseline run, shared by the tests of several commands."""

from pathlib import Path

import pytest

from tests.cli.small import BASELINE, write_splits
from tests.cli.test_commands import run


@pytest.fixture(scope="session")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus and a finished run on it."""
    place = tmp_path_factory.mktemp("tagging")
    write_splits(place, {"train": 120, "dev": 40, "test": 40})
    done = run("train", "train.conll", "--dev", "dev.conll", "--test", "test.conll", "-o", "run", *BASELINE, cwd=place)
    assert done.returncode == 0, done.stderr
    return place
