"""The summary states the numbers of the run's files."""

from pathlib import Path

from tests.reports.random_run import ISSUES, SENTENCES, TOKENS
from tests.reports.written import FullRun, PageReader
from trustag.reports.rendering import render
from trustag.reports.run_report import run_report


def test_the_summary_tells_what_the_files_say(tmp_path: Path) -> None:
    run = FullRun(SENTENCES, ISSUES).open(tmp_path / "run")
    text = PageReader(render(run_report(run))).text
    changed = sum(token.given != token.new_label for token in TOKENS)
    negatives = sum(token.given == "O" for token in TOKENS)
    assert f"trained on 40 sentences with {len(TOKENS)} labels" in text
    assert f"25.0 % (about {round(0.25 * negatives)}) of the O labels seem to miss an entity" in text
    assert f"The run changed {changed} labels" in text
    assert "On the test corpus the model reaches F1 74.67." in text
    assert "duration 1 min 15 s" in text
