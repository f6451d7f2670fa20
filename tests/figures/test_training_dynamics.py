"""Training dynamics: the curves are the means of the fold models' own metrics, and what is absent is said."""

from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.figures.written import WrittenRun, epoch, opened, read_lines
from trustag.errors import InputError
from trustag.figures.training_dynamics import CONFIDENCE, DETECTION, training_dynamics
from trustag.runs.reading import NothingToDrawError

DOUBTING = {"distrusted_negative": 0.1, "distrusted_positive": 0.2}
GOLD = {
    **{f"confidence_{key}": 0.5 for key in CONFIDENCE},
    **{f"detection_f1_{key}": 0.25 for key in DETECTION},
}


def facts(**changes: float) -> dict[str, float]:
    return {**DOUBTING, **GOLD, **changes}


@pytest.mark.slow
def test_curves_are_means_of_the_fold_models(real_run: Path) -> None:
    dynamics = training_dynamics(opened(real_run))
    folds = [read_lines(real_run / "jobs" / "round-1" / f"fold-{fold}" / "metrics.jsonl") for fold in (1, 2)]
    assert dynamics.models == 2
    assert dynamics.epochs == (1, 2)
    assert dynamics.lacking == ()
    found: list[tuple[Any, Any]] = [(dynamics.dev_f1, lambda line: line["f1"])]
    found += [
        (dynamics.confidence[key], lambda line, key=key: line["facts"][f"confidence_{key}"]) for key in CONFIDENCE
    ]
    found += [
        (dynamics.detection_f1[key], lambda line, key=key: line["facts"][f"detection_f1_{key}"]) for key in DETECTION
    ]
    for curve, value in found:
        for number, lines in enumerate(zip(*folds, strict=True)):
            values = [value(line) for line in lines]
            assert curve.mean[number] == pytest.approx(mean(values))
            assert (curve.low[number], curve.high[number]) == (min(values), max(values))


@pytest.mark.slow
def test_another_round_is_that_round(real_run: Path) -> None:
    first, second = (training_dynamics(opened(real_run), number) for number in (1, 2))
    assert second.trained == "fold models of round 2"
    assert first.confidence != second.confidence


def test_one_epoch_is_a_curve_of_one_point(tmp_path: Path) -> None:
    dynamics = training_dynamics(WrittenRun(folds=[[epoch(0, 0.5, **facts())]]).open(tmp_path / "run"))
    assert dynamics.epochs == (1,)
    assert dynamics.dev_f1 is not None
    assert dynamics.dev_f1.mean == (0.5,)


def test_without_dev_the_rest_remains(tmp_path: Path) -> None:
    dynamics = training_dynamics(WrittenRun(folds=[[epoch(0, None, **facts())]]).open(tmp_path / "run"))
    assert dynamics.dev_f1 is None
    assert set(dynamics.confidence) == set(CONFIDENCE)
    assert dynamics.lacking == ("dev F1: the run had no dev split",)


def test_without_gold_dev_f1_remains(tmp_path: Path) -> None:
    dynamics = training_dynamics(WrittenRun(folds=[[epoch(0, 0.5, **DOUBTING)]]).open(tmp_path / "run"))
    assert dynamics.dev_f1 is not None
    assert dynamics.confidence == dynamics.detection_f1 == {}
    assert "no gold column" in dynamics.lacking[0]


def test_groups_without_labels_are_left_out(tmp_path: Path) -> None:
    folds = [[epoch(0, 0.5, **facts(confidence_noisy_positive=0.0))]]
    dynamics = training_dynamics(WrittenRun(folds=folds).open(tmp_path / "run"))
    assert "noisy_positive" not in dynamics.confidence
    assert list(dynamics.detection_f1) == ["negative"]
    assert dynamics.lacking == ("confidence in wrong entity labels: there are none",)


def test_curves_end_where_the_first_model_stopped(tmp_path: Path) -> None:
    folds = [[epoch(n, 0.1 * n, **facts()) for n in range(3)], [epoch(n, 0.2 * n, **facts()) for n in range(2)]]
    dynamics = training_dynamics(WrittenRun(folds=folds).open(tmp_path / "run"))
    assert dynamics.epochs == (1, 2)
    assert dynamics.lacking == ("epochs after 2: not every fold model reached them",)
    assert all(after > before for before, after in pairwise(dynamics.dev_f1.mean if dynamics.dev_f1 else ()))


def test_a_run_that_believes_has_dev_f1_alone(tmp_path: Path) -> None:
    run = WrittenRun(recipe="[rounds]\ncount = 0\n", epochs=[epoch(0, 0.3), epoch(1, 0.4)]).open(tmp_path / "run")
    dynamics = training_dynamics(run)
    assert (dynamics.trained, dynamics.models) == ("the model", 1)
    assert dynamics.dev_f1 is not None
    assert dynamics.dev_f1.mean == (0.3, 0.4)
    assert dynamics.lacking == ("confidence and detection: the model trusts every label",)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (WrittenRun(), "no epoch of round 1 is finished"),
        (WrittenRun(folds=[[epoch(0, None, **DOUBTING)]]), "the run had no dev split; .* no gold column"),
    ],
)
def test_nothing_to_draw_is_explained(tmp_path: Path, written: WrittenRun, reason: str) -> None:
    with pytest.raises(NothingToDrawError, match=reason):
        training_dynamics(written.open(tmp_path / "run"))


def test_broken_metrics_name_file_and_line(tmp_path: Path) -> None:
    path = WrittenRun(folds=[[epoch(0, 0.5)]]).write(tmp_path / "run")
    metrics = path / "jobs" / "round-1" / "fold-1" / "metrics.jsonl"
    metrics.write_text(metrics.read_text() + '{"epoch": "second"}\n')
    with pytest.raises(InputError, match=r"fold-1/metrics.jsonl:2: Expected `int`, got `str`"):
        training_dynamics(opened(path))
