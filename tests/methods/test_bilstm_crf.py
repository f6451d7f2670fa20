"""The baseline: one training that trusts every label, and a run without findings about them."""

from pathlib import Path

from tests.training.small import small_recipe, small_run
from trustag.methods.bilstm_crf import METHOD
from trustag.methods.table import choose_method


def test_the_baseline_has_no_settings_of_its_own() -> None:
    chosen = choose_method(small_recipe())
    assert chosen.method is METHOD
    assert not chosen.settings.model_dump()


def test_a_baseline_run_is_one_training_and_says_nothing_of_labels(tmp_path: Path) -> None:
    result = small_run(tmp_path / "run", small_recipe("training.epochs=1"))
    assert result.method == "bilstm-crf"
    assert result.analysis is None
    assert not result.compared
    assert [folder.name for folder in (tmp_path / "run" / "jobs").iterdir()] == ["as-given"]
    assert not {"issues.jsonl", "changes.jsonl", "confidence.npz"} & {path.name for path in result.run.path.iterdir()}
