"""One small model for all tests of the server."""

from pathlib import Path

import pytest
import torch

from tests.serving.small_model import write_model

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("served") / "model")
