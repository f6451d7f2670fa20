"""Training curves: means over the fold models, and the final model epoch by epoch."""

from pathlib import Path

import pytest

from tests.figures.written import WrittenRun, epoch
from tests.reports.random_run import tables
from trustag.reports.blocks import Missing
from trustag.reports.sections.training_section import keep_ratios, training_section
from trustag.runs.records import EpochReport


def test_trusted_shares_are_means_over_all_models() -> None:
    models = [
        [EpochReport(number, 1.0, facts={"distrusted_negative": share}) for number, share in enumerate(shares)]
        for shares in ((0.1, 0.4), (0.3,))
    ]
    assert keep_ratios(models) == {"O labels": [pytest.approx(0.8)]}
    assert keep_ratios([[EpochReport(0, 1.0)]]) == {}


def test_the_final_model_is_shown_epoch_by_epoch(tmp_path: Path) -> None:
    run = WrittenRun(recipe='[method]\nname = "bilstm-crf"\n', epochs=[epoch(0, 0.5), epoch(1, 0.625)]).open(
        tmp_path / "run"
    )
    (table,) = tables(training_section(run))
    assert [list(row) for row in table.rows] == [["1", "1.0000", "50.00"], ["2", "1.0000", "62.50"]]


def test_without_a_complete_epoch_the_section_says_so(tmp_path: Path) -> None:
    run = WrittenRun(recipe='[method]\nname = "bilstm-crf"\n').open(tmp_path / "run")
    assert training_section(run).blocks == [Missing("curves of the final model: no epoch is complete yet")]
