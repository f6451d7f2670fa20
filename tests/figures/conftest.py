"""A real run, made once: two rounds of self-training at rates searched on dev, with a gold column."""

from pathlib import Path

import pytest

from tests.training.small import here, small_corpus, small_recipe
from trustag.notes import unwatched
from trustag.training.train import Destination, train


@pytest.fixture(scope="session")
def real_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("figures") / "real"
    recipe = small_recipe(
        "rounds.count=2",
        "rounds.fold_epochs=2",
        "training.epochs=2",
        "rates.source=searched",
        "rates.search_from=0.1",
        "rates.search_step=0.1",
        "rounds.reannotate=all",
    )
    train(small_corpus(), recipe, None, Destination(path), here(unwatched))
    return path
