"""Training progress: lines on standard error, or JSON lines on standard output."""

import json

import pytest

from tests.cli.made_reports import FeaturesReport, WaitReport, job_report, stage_report
from trustag.cli.progress import TrainingProgress


def test_stages_epochs_and_waiting_go_to_the_screen(capfd: pytest.CaptureFixture[str]) -> None:
    progress = TrainingProgress(quiet=False, json_lines=False)
    progress(stage_report(0))
    progress(WaitReport(0.5))
    progress(job_report("as-given", 0))
    progress.close()
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines()[1] == "1 of 2  Folds"
    assert err.splitlines()[4].split() == ["labels", "as", "given", "1", "of", "4", "1.2500", "44.44", "-"]


def test_transformer_features_are_announced_once(capfd: pytest.CaptureFixture[str]) -> None:
    progress = TrainingProgress(quiet=False, json_lines=False)
    for sentences in (0, 10, 20):
        progress(FeaturesReport(sentences, 20))
    assert capfd.readouterr().err == "\nComputing transformer features of 20 sentences, once for the whole run.\n"


def test_json_lines_have_every_report(capfd: pytest.CaptureFixture[str]) -> None:
    progress = TrainingProgress(quiet=True, json_lines=True)
    progress(FeaturesReport(10, 20))
    progress(stage_report(0))
    progress(job_report("as-given", 0))
    progress.close()
    out, err = capfd.readouterr()
    features, stage, epoch = map(json.loads, out.splitlines())
    assert features == {"features": 10, "of": 20}
    assert stage["stage"] == "folds"
    assert (epoch["epoch"], epoch["loss"], epoch["f1"]) == (0, 1.25, 0.4444)
    assert err == ""


def test_quiet_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    progress = TrainingProgress(quiet=True, json_lines=False)
    progress(stage_report(0))
    progress(job_report("as-given", 0))
    progress.close()
    assert capfd.readouterr() == ("", "")
