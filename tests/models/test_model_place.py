"""A model is found in its own folder and in a run; the best one first."""

from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.models.model_place import EXPORT_FILE, MODEL_FILE, is_exported, model_folder


def test_the_model_of_a_run_is_found_best_first(tmp_path: Path) -> None:
    for name in ("model-last", "model-best"):
        (tmp_path / name).mkdir()
        (tmp_path / name / MODEL_FILE).write_text("{}")
        assert model_folder(tmp_path) == tmp_path / name
        assert model_folder(tmp_path / name) == tmp_path / name
    (tmp_path / MODEL_FILE).write_text("{}")
    assert model_folder(tmp_path) == tmp_path


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "model-best").mkdir()
    with pytest.raises(InputError, match="no model here; name a model folder or a run"):
        model_folder(tmp_path)


def test_an_exported_model_is_its_own_folder(tmp_path: Path) -> None:
    assert not is_exported(tmp_path)
    (tmp_path / EXPORT_FILE).write_text("{}")
    assert is_exported(tmp_path)
    assert model_folder(tmp_path) == tmp_path
