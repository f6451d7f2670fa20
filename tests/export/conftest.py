"""Networks with random weights, exported once for all tests of this folder."""

from pathlib import Path

import pytest

from tests.export.models import MODELS
from trustag.export.exported_tagger import ExportedTagger
from trustag.export.writing import export_model
from trustag.models.tagger import Tagger


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the folder of each exported model."""
    place = tmp_path_factory.mktemp("exported")
    for name, tagger in MODELS.items():
        export_model(tagger, place / name)
    return {name: place / name for name in MODELS}


@pytest.fixture(scope="session", params=sorted(MODELS))
def pair(request: pytest.FixtureRequest, folders: dict[str, Path]) -> tuple[Tagger, ExportedTagger]:
    """Return a tagger and what was exported of it."""
    return MODELS[request.param], ExportedTagger(folders[request.param])
