"""One small model for all tests of batch jobs."""

from pathlib import Path

import pytest

from tests.serving.small_model import write_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("tagging") / "model")
