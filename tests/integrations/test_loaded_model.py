"""A loaded model knows its folder, and scores itself for its card."""

from pathlib import Path

import pytest

import trustag
from trustag.errors import InputError
from trustag.integrations.loaded_model import LoadedModel


def test_a_loaded_model_knows_its_folder_and_needs_no_torch(model: Path, exported: Path) -> None:
    for place in (model, exported):
        loaded = trustag.load(str(place))
        assert isinstance(loaded, LoadedModel)
        assert loaded.folder == place


def test_the_card_scores_types_on_a_corpus(model: Path, tmp_path: Path) -> None:
    loaded = trustag.load(model)
    tokens = ["Ada", "slept", "of", "the", "new"]
    (labels,) = loaded.predict_tokens([tokens])
    lines = "".join(f"{token} {label}\n" for token, label in zip(tokens, labels, strict=True))
    (tmp_path / "test.conll").write_text(lines + "\n")
    card = loaded.card(test=tmp_path / "test.conll")
    kinds = {label[2:] for label in labels if label != "O"}
    assert kinds
    for kind in kinds:
        assert f"| `{kind}` | 100.0 % | 100.0 % | 100.0 % |" in card
    (tmp_path / "unlabelled.txt").write_text("Ada slept\n")
    with pytest.raises(InputError):
        loaded.card(test=tmp_path / "unlabelled.txt")
