"""Training progress: aligned lines on standard error, or JSON lines on standard output."""

import json

import pytest

from tests.cli.made_reports import FeaturesReport, epoch_report, step_report
from trustag.cli.progress import TrainingProgress


def test_epochs_are_aligned_under_their_header(capfd: pytest.CaptureFixture[str]) -> None:
    progress = TrainingProgress(epochs=2, quiet=False, json_lines=False)
    progress(step_report())
    progress(epoch_report())
    progress.close()
    out, err = capfd.readouterr()
    header, line, end = err.splitlines()
    assert (out, end) == ("", "")
    assert line.startswith("    1    1.2500   50.00   40.00   44.44")
    assert line.endswith("  best")
    assert header.index("left") + len("left") == len(line.removesuffix("  best"))


def test_transformer_features_are_announced_once(capfd: pytest.CaptureFixture[str]) -> None:
    progress = TrainingProgress(epochs=2, quiet=False, json_lines=False)
    for sentences in (0, 10, 20):
        progress(FeaturesReport(sentences, 20))
    assert capfd.readouterr().err == "\nComputing transformer features of 20 sentences, once for the whole run.\n"


def test_json_lines_have_every_report(capfd: pytest.CaptureFixture[str]) -> None:
    progress = TrainingProgress(epochs=2, quiet=True, json_lines=True)
    progress(FeaturesReport(10, 20))
    progress(epoch_report())
    progress.close()
    out, err = capfd.readouterr()
    features, epoch = map(json.loads, out.splitlines())
    assert features == {"features": 10, "of": 20}
    assert (epoch["epoch"], epoch["loss"], epoch["f1"]) == (0, 1.25, 0.4444)
    assert err == ""


def test_quiet_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    progress = TrainingProgress(epochs=1, quiet=True, json_lines=False)
    progress(epoch_report())
    progress.close()
    assert capfd.readouterr() == ("", "")
