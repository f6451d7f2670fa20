"""A plan holds exactly the trainings and epochs that a run then reports."""

from collections import Counter
from pathlib import Path

import pytest

from tests.training.small import ROUNDS, here, noisy_corpus, small_recipe
from trustag.pipeline import Destination, train_in
from trustag.text.sentences import Corpus
from trustag.training.jobs import JobReport, RunReport, StageReport
from trustag.training.stages import Plan, Stage

GRID = "method.rates.grid={ negative = [0.0, 0.1, 0.1], positive = [0.0, 0.1, 0.1] }"
SEARCH = ("method.rates.source=searched", GRID, "training.patience=9", "method.rounds.fold_epochs=1")
ONCE = "method.rounds.count=1"
GIVEN = "method.rates.source=given"
VARIANTS = {
    "estimated": ("confidence", ROUNDS, True),
    "more folds than sentences": ("confidence", (*ROUNDS, "method.rounds.folds=9", ONCE), False),
    "many steps": ("confidence", (*ROUNDS, "training.least_steps=5"), False),
    "measured on dev": ("confidence", (*ROUNDS, "method.rates.source=dev", ONCE), True),
    "given, no baseline": ("confidence", (*ROUNDS, GIVEN, "method.rounds.baseline=false"), False),
    "given, truncated entities visible": ("confidence", (*ROUNDS, GIVEN, "method.truncated_entities=visible"), False),
    "searched": ("confidence", (*ROUNDS, *SEARCH, ONCE), True),
    "self-training": ("self-training", (*ROUNDS[:3],), True),
    "as given": ("bilstm-crf", (), True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_a_run_does_what_was_planned(name: str, tmp_path: Path) -> None:
    method, changes, has_dev = VARIANTS[name]
    corpus = noisy_corpus()
    reports: list[RunReport] = []
    train_in(
        Corpus(corpus.train[:6], corpus.dev[:4] if has_dev else ()),
        small_recipe(*changes, method=method),
        Destination(tmp_path / "run"),
        here(report=reports.append),
    )
    entered = [report for report in reports if isinstance(report, StageReport)]
    plan = entered[0].plan
    assert [report.number for report in entered] == list(range(len(plan.stages)))
    found: Counter[str] = Counter()
    current = ""
    for report in reports:
        if isinstance(report, StageReport):
            current = report.stage.name
        elif isinstance(report, JobReport):
            found[current] += 1
    assert found == {stage.name: stage.trainings * stage.epochs for stage in plan.stages}
    assert all(len(stage.purpose) < 79 for stage in plan.stages)
    assert plan.passes_before(len(plan.stages)) == pytest.approx(plan.passes)


def test_work_is_counted_in_passes_over_the_whole_corpus() -> None:
    plan = Plan([Stage("folds", "Folds", "Two halves.", 2, 3, 0.5), Stage("final", "Final", "All of it.", 1, 4)])
    assert [stage.passes for stage in plan.stages] == [3.0, 4.0]
    assert plan.passes == 7.0
    assert [plan.passes_before(number) for number in range(3)] == [0.0, 3.0, 7.0]
    assert [plan.number(name) for name in ("folds", "final")] == [0, 1]
