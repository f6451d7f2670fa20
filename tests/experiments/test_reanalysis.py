"""Labels analysed again from what a run left: the same as at the end of training, in any version."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

from trustag.errors import InputError
from trustag.experiments.kept_runs import kept_runs
from trustag.experiments.reanalysis import reanalyse
from trustag.runs.reading import RunFiles


@pytest.mark.slow
@pytest.mark.parametrize("system", ["method", "self-training"])
@pytest.mark.usefixtures("results")
def test_a_reanalysis_gives_what_training_found(folder: Path, system: str) -> None:
    (run, _) = kept_runs(folder / "runs", ["demo"], system)
    found = reanalyse(run.path)
    assert found.analysis.issues == RunFiles(run.path, system).issues
    with np.load(run.path / "confidence.npz") as columns:
        assert all(np.array_equal(columns[name], found.analysis.columns[name]) for name in columns.files)


@pytest.mark.slow
@pytest.mark.usefixtures("results")
def test_a_run_without_findings_cannot_be_reanalysed(folder: Path) -> None:
    with pytest.raises(InputError, match="kept nothing of its labels"):
        reanalyse(folder / "runs" / "demo-plain-1")


@pytest.mark.slow
@pytest.mark.usefixtures("results")
def test_runs_of_the_first_version_can_be_reanalysed(folder: Path, tmp_path: Path) -> None:
    run = tmp_path / "first"
    shutil.copytree(folder / "runs" / "demo-method-1", run)
    for file in run.rglob("outcome/tensors.safetensors"):
        tensors = {name.removeprefix("record."): part for name, part in load_file(file).items()}
        file.unlink()  # links to it would change too
        save_file(tensors, file)
    rates = json.loads((run / "rates.json").read_text(encoding="utf-8"))
    rates["apart"], rates["cut_names"] = rates.pop("by_group"), rates.pop("truncated_entities")
    (run / "rates.json").write_text(json.dumps(rates), encoding="utf-8")
    assert reanalyse(run).analysis.issues == RunFiles(run, "first").issues
