"""A plan holds exactly the trainings and epochs that a run then reports."""

from collections import Counter
from pathlib import Path

import pytest

from tests.training.small import ROUNDS, here, noisy_corpus, small_recipe, small_task
from trustag.methods.table import METHODS, choose_method
from trustag.pipeline import Destination, train_in
from trustag.text.sentences import Corpus
from trustag.training.jobs import JobReport, RunReport, StageReport
from trustag.training.stages import Plan, Stage

GRID = "method.rates.grid={negative=[0.0, 0.1, 0.1], positive=[0.0, 0.1, 0.1]}"
SEARCH = ("method.rates.source=searched", GRID, "training.patience=9")
ONE = "method.rounds.count=1"
VARIANTS = {
    "estimated": ("confidence", ROUNDS, True),
    "more folds than sentences": ("confidence", (*ROUNDS, "method.rounds.folds=9", ONE), False),
    "many steps": ("confidence", (*ROUNDS, "training.least_steps=5"), False),
    "measured on dev": ("confidence", (*ROUNDS, "method.rates.source=dev", ONE), True),
    "given, no baseline": (
        "confidence",
        (*ROUNDS, "method.rates.source=given", "method.rounds.baseline=false"),
        False,
    ),
    "given, truncated entities visible": (
        "confidence",
        (*ROUNDS, "method.rates.source=given", "method.truncated_entities=visible"),
        False,
    ),
    "searched": ("confidence", (*ROUNDS, *SEARCH, ONE, "method.rounds.fold_epochs=1"), True),
    "self-training": ("self-training", [change for change in ROUNDS if "rates" not in change], True),
    "baseline": ("bilstm-crf", ("training.epochs=2",), True),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_a_run_does_what_was_planned(name: str, tmp_path: Path) -> None:
    method, changes, has_dev = VARIANTS[name]
    corpus = noisy_corpus()
    reports: list[RunReport] = []
    data = Corpus(corpus.train[:6], corpus.dev[:4] if has_dev else ())
    recipe = small_recipe(*changes, method=method)
    train_in(data, recipe, Destination(tmp_path / "run"), here(report=reports.append))
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
    assert plan.passes_before(len(plan.stages)) == pytest.approx(plan.passes)


def test_the_work_of_a_stage_is_counted_in_passes_over_the_corpus() -> None:
    plan = Plan([Stage("a", "A", "first", 2, 4, 0.5), Stage("b", "B", "second", 1, 3)])
    assert [stage.passes for stage in plan.stages] == [4.0, 3.0]
    assert (plan.passes, plan.passes_before(1), plan.passes_before(2)) == (7.0, 4.0, 7.0)
    assert plan.number("b") == 1


@pytest.mark.parametrize("name", METHODS)
def test_stages_have_names_of_their_own_and_purposes_that_fit_on_a_line(name: str) -> None:
    recipe = small_recipe(method=name)
    chosen = choose_method(recipe)
    stages = chosen.method.plan(small_task(recipe), chosen.settings)
    assert len({stage.name for stage in stages}) == len(stages) > 0
    assert all(len(stage.purpose) < 79 for stage in stages)
