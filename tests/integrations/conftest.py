"""A model with random weights in a model folder and exported, once for all tests of this folder."""

from pathlib import Path

import pytest

from tests.cli.test_export import saved
from trustag.export.writing import export_model
from trustag.models.saving import load_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("integrations") / "model")


@pytest.fixture(scope="session")
def exported(model: Path) -> Path:
    export_model(load_model(model), model.parent / "exported")
    return model.parent / "exported"
