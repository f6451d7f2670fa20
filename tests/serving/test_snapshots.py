"""A copy of a model is one whole state of its folder, or an error."""

import shutil
from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.serving.snapshots import copy_model


def test_the_model_of_a_run_is_copied_and_an_older_copy_replaced(tmp_path: Path) -> None:
    (tmp_path / "run" / "model-best").mkdir(parents=True)
    for text in ("one", "two"):
        (tmp_path / "run" / "model-best" / "model.json").write_text(text)
        copy_model(tmp_path / "run", tmp_path / "copy")
        assert (tmp_path / "copy" / "model.json").read_text() == text


def test_a_model_that_changes_while_it_is_copied_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "model.json").write_text("0")
    copytree, copies = shutil.copytree, 0

    def disturbed(source: Path, target: Path, symlinks: bool) -> Path:
        nonlocal copies
        copies += 1
        found = copytree(source, target, symlinks=symlinks)
        if copies < 3:
            (model / "model.json").write_text("x" * copies)
        return found

    monkeypatch.setattr(shutil, "copytree", disturbed)
    copy_model(model, tmp_path / "copy")
    assert copies == 3
    assert (tmp_path / "copy" / "model.json").read_text() == "xx"
    copies = -100
    with pytest.raises(InputError, match="the model changes while it is copied"):
        copy_model(model, tmp_path / "copy")
