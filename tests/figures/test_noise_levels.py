"""F1 by level of noise: every run at the recall of its labels, and lines that join runs of one method."""

from pathlib import Path
from statistics import mean

import pytest

from tests.figures.written import WrittenRun, labelled
from trustag.figures.noise_levels import NoiseLevels, noise_levels
from trustag.runs.reading import NothingToDrawError, open_runs

ORACLE = '[rates]\nsource = "oracle"\n'
CONFIDENCE = "confidence (global, oracle rates)"
BASELINE = "baseline (labels as given)"


def doubting(recall: float, f1: float, plain: float | None = None, recipe: str = ORACLE) -> WrittenRun:
    scores = {"test": {"f1": f1}, "plain": {"test": {"f1": plain} if plain is not None else None}}
    return WrittenRun(data=str(recall), recipe=recipe, scores=scores, sentences=labelled(recall))


def levels(folder: Path, *runs: WrittenRun) -> NoiseLevels:
    return noise_levels(open_runs([run.write(folder / f"run-{number}") for number, run in enumerate(runs)]))


def test_lines_join_the_runs_of_a_method_by_recall(tmp_path: Path) -> None:
    found = levels(tmp_path, doubting(0.9, 0.8, 0.7), doubting(0.3, 0.6, 0.2))
    points = {name: [(point.recall, point.mean) for point in line] for name, line in found.lines.items()}
    assert points == {CONFIDENCE: [(0.3, 0.6), (0.9, 0.8)], BASELINE: [(0.3, 0.2), (0.9, 0.7)]}
    assert found.split == "test"


def test_runs_of_almost_one_level_are_averaged(tmp_path: Path) -> None:
    found = levels(tmp_path, doubting(0.50, 0.6), doubting(0.51, 0.7), doubting(0.51, 0.5), doubting(0.55, 0.9))
    near, far = found.lines[CONFIDENCE]
    assert (near.models, near.low, near.high) == (3, 0.5, 0.7)
    assert near.mean == pytest.approx(mean([0.6, 0.7, 0.5]))
    assert (far.recall, far.models, far.mean) == (0.55, 1, 0.9)


def test_a_run_without_gold_takes_the_level_of_one_on_the_same_data(tmp_path: Path) -> None:
    trusting = WrittenRun(data="0.3", recipe="[rounds]\ncount = 0\n", scores={"test": {"f1": 0.1}})
    lost = WrittenRun(data="other", scores={"test": {"f1": 0.1}})
    found = levels(tmp_path, trusting, doubting(0.3, 0.6), doubting(0.9, 0.8), lost)
    assert [(point.recall, point.mean) for point in found.lines[BASELINE]] == [(0.3, 0.1)]
    (lack,) = found.lacking
    assert lack.startswith("run-3: the noise of its labels is unknown")


def test_methods_are_told_apart(tmp_path: Path) -> None:
    recipes = {
        "confidence (local, oracle rates, no calibration)": ORACLE
        + '[confidence]\nscoring = "local"\ncalibration = false\n',
        "self-training": '[rates]\nsource = "given"\nnegative = 0.0\npositive = 0.0\n',
        "confidence (global, given rates)": '[rates]\nsource = "given"\nnegative = 0.1\npositive = 0.0\n',
        "confidence (global, auto rates)": "",
    }
    runs = [doubting(0.1 * n, 0.5, recipe=recipe) for n, recipe in enumerate(recipes.values(), start=1)]
    assert list(levels(tmp_path, *runs).lines) == list(recipes)


def test_dev_serves_where_more_runs_have_it(tmp_path: Path) -> None:
    runs = [
        WrittenRun(data=str(recall), scores={"dev": {"f1": recall}}, sentences=labelled(recall))
        for recall in (0.3, 0.5)
    ]
    found = levels(tmp_path, *runs, doubting(0.9, 0.8))
    assert found.split == "dev"
    assert len(found.measurements) == 2
    assert found.lacking == ("run-2: no dev score",)


def test_one_level_is_no_line(tmp_path: Path) -> None:
    lost = WrittenRun(data="other", scores={"test": {"f1": 0.1}})
    with pytest.raises(
        NothingToDrawError, match=r"two or more noise levels are needed \(run-2: the noise of its labels"
    ):
        levels(tmp_path, doubting(0.5, 0.6), doubting(0.51, 0.7), lost)
