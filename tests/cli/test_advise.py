"""``trustag advise``: curves and sentences on the screen and as JSON, from a run that was really trained."""

import json
from pathlib import Path

import pytest

from tests.cli.small import SIZES, settings, write_splits
from tests.cli.test_commands import run

pytestmark = pytest.mark.slow  # trains models

SHORT = [*SIZES, *settings("bilstm.random_vectors=true", "training.batch_size=8", "training.epochs=2")]
QUICK = settings("training.least_steps=0", "method.rounds.fold_epochs=2", "method.rates.estimate_epochs=1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus and a finished run."""
    place = tmp_path_factory.mktemp("advise")
    write_splits(place, {"train": 60, "dev": 50})
    done = run("train", "train.conll", "-o", "run", "--quiet", *SHORT, *QUICK, cwd=place)
    assert done.returncode == 0, done.stderr
    return place


def test_curves_and_sentences_are_shown(folder: Path) -> None:
    done = run("advise", "run", "--dev", "dev.conll", "--top", "3", "--workers", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "Measured on 25 clean sentences" in done.stdout
    assert "100 reviewed" in done.stdout
    assert "1,000 more noisy" in done.stdout
    assert done.stdout.count(" in doubt") == 3
    assert max(map(len, done.stdout.splitlines())) <= 130


def test_without_dev_sentences_alone_are_listed_at_once(folder: Path) -> None:
    done = run("advise", "run", "--json", cwd=folder)
    found = json.loads(done.stdout)
    assert found["curves"] is None
    assert 0 < len(found["review_first"]) <= 10
    worths = [one["worth"] for one in found["review_first"]]
    assert worths == sorted(worths, reverse=True)


def test_a_folder_that_is_no_run_is_refused(folder: Path) -> None:
    done = run("advise", ".", cwd=folder)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
