"""A real run, made once: two rounds of self-training at rates searched on dev, with a gold column."""

from pathlib import Path

import pytest

from tests.training.small import small_recipe, small_run


@pytest.fixture(scope="session")
def real_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("figures") / "real"
    recipe = small_recipe(
        "method.rounds.count=2",
        "method.rounds.fold_epochs=2",
        "training.epochs=2",
        "method.rates.source=searched",
        "method.rates.grid={negative=[0.1, 0.2, 0.1], positive=[0.1, 0.2, 0.1]}",
        "method.rounds.reannotate=all",
        method="confidence",
    )
    return small_run(path, recipe).run.path
