"""A plan holds exactly the trainings and epochs that a run then reports."""

from collections import Counter
from pathlib import Path

import pytest
from trustag.training.train import Destination, Surroundings, train

from tests.training.small import small_recipe
from tests.training.test_rounds import ROUNDS, noisy_corpus
from trustag.engines.in_process import InProcess
from trustag.notes import unwatched
from trustag.text.sentences import Corpus
from trustag.training.jobs import JobReport, RunReport, StageReport

SEARCH = ("rates.source=searched", "rates.search_step=0.1", "rates.search_to=0.1", "training.patience=9")
VARIANTS = {
    "estimated": (ROUNDS, True),
    "more folds than sentences": ((*ROUNDS, "rounds.folds=9", "rounds.count=1"), False),
    "several members and many steps": ((*ROUNDS, "rounds.members=2", "training.least_steps=5"), False),
    "measured on dev": ((*ROUNDS, "rates.source=dev", "rounds.count=1"), True),
    "given, no baseline": ((*ROUNDS, "rates.source=given", "rounds.baseline=false"), False),
    "given, no longer names judged": ((*ROUNDS, "rates.source=given", "confidence.cut_names=believed"), False),
    "searched": ((*ROUNDS, *SEARCH, "rounds.count=1", "rounds.fold_epochs=1"), True),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_run_does_what_was_planned(name: str, tmp_path: Path) -> None:
    changes, has_dev = VARIANTS[name]
    corpus = noisy_corpus()
    reports: list[RunReport] = []
    train(
        Corpus(corpus.train[:6], corpus.dev[:4] if has_dev else ()),
        small_recipe(*changes),
        None,
        Destination(tmp_path / "run"),
        Surroundings(InProcess(), unwatched, reports.append),
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
