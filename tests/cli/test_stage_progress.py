"""Progress of a run in stages: its lines, resumed epochs, and the time left."""

import json

import pytest

from tests.cli.made_reports import job_report, stage_report
from trustag.cli.progress_bar import ProgressBar
from trustag.cli.stage_progress import StageProgress


def test_stages_and_epochs_have_lines(capfd: pytest.CaptureFixture[str]) -> None:
    progress = StageProgress(ProgressBar(is_wanted=True), quiet=False, json_lines=False)
    progress.enter(stage_report(0))
    progress.finish_epoch(job_report("round-1/fold-2", 0))
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "",
        "1 of 2  Folds",
        "  Purpose of folds.",
        "  trained on                   epoch       loss   dev F1     left",
        "  all but fold 2              1 of 4     1.2500    44.44        -",
    ]


def test_resumed_epochs_are_counted(capfd: pytest.CaptureFixture[str]) -> None:
    progress = StageProgress(ProgressBar(is_wanted=True), quiet=False, json_lines=False)
    for epoch in range(3):
        progress.finish_epoch(job_report("round-1/final", epoch, is_new=False))
    progress.report_resumed_epochs()
    progress.report_resumed_epochs()
    assert capfd.readouterr().err == "  resumed: 3 epochs already complete\n"


def test_json_lines_go_to_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    progress = StageProgress(ProgressBar(is_wanted=False), quiet=False, json_lines=True)
    progress.enter(stage_report(1))
    progress.finish_epoch(job_report("round-1/final", 0))
    out, err = capfd.readouterr()
    stage, epoch = map(json.loads, out.splitlines())
    assert stage == {"stage": "final", "number": 1, "of": 2}
    assert (epoch["job"], epoch["epoch"], epoch["f1"]) == ("round-1/final", 0, 0.4444)
    assert err == ""
