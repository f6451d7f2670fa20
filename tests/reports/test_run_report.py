"""The report as a whole: every section, a valid page, and what is missing is said."""

import json
import re
from pathlib import Path

import pytest

from tests.figures.written import WrittenRun, epoch
from tests.reports.random_run import ISSUES, SENTENCES, random_issues, random_sentences
from tests.reports.written import FullRun, PageReader
from trustag.errors import InputError
from trustag.reports.blocks import Missing
from trustag.reports.rendering import render
from trustag.reports.run_report import SECTIONS, run_report, write_report
from trustag.runs.reading import open_runs


def test_every_section_is_there_and_the_page_is_sound(tmp_path: Path) -> None:
    path = write_report(FullRun(SENTENCES, ISSUES).write(tmp_path / "run"))
    assert path == tmp_path / "run" / "report.html"
    page = PageReader(path.read_bytes())
    assert page.open == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {attributes["href"] for tag, attributes in page.elements if tag == "a"}
    assert links <= {f"#{name}" for name in ids}
    assert page.count("section") == len(SECTIONS) == len(links) - 1
    assert (page.count("h1"), page.count("main"), page.count("nav")) == (1, 1, 1)
    assert page.count("svg") >= 8
    assert "Not available" not in page.text.replace(
        "Not available: confidence in correct and wrong labels, detection", ""
    )


def test_a_baseline_run_has_a_report_that_says_so(tmp_path: Path) -> None:
    path = WrittenRun(recipe="[rounds]\ncount = 0\n", epochs=[epoch(0, 0.5), epoch(1, 0.6)]).write(tmp_path / "run")
    (path / "given.jsonl").write_text(json.dumps({"tokens": ["Ann", "slept"], "ner_tags": ["B-PER", "O"]}) + "\n")
    (run,) = open_runs([path])
    page = run_report(run)
    missing = [
        block.text.split(":")[0] for section in page.sections for block in section.blocks if isinstance(block, Missing)
    ]
    assert missing == [
        "results",
        "noise rates",
        "issues",
        "issues",
        "given and new labels",
        "rounds",
        "data map",
        "calibration",
    ]
    text = PageReader(render(page)).text
    assert "trained on 1 sentence with 2 labels, baseline (labels as given)" in text
    assert "All entity words have the same label wherever they occur." in text


def test_older_runs_without_dynamics_issues_or_given_corpus_are_shown(tmp_path: Path) -> None:
    path = WrittenRun(sentences=[], recipe="[rounds]\ncount = 1\n", folds=[[epoch(0, 0.5)]]).write(tmp_path / "run")
    text = PageReader(render(run_report(open_runs([path])[0]))).text
    assert "Not available: words: the run did not keep its training corpus" in text
    assert "Not available: share of trusted labels" in text


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    path = FullRun(SENTENCES, ISSUES).write(tmp_path / "run")
    (path / "report.html").write_text("precious")
    with pytest.raises(InputError, match=r"report.html: already exists; .*--overwrite"):
        write_report(path)
    assert (path / "report.html").read_text() == "precious"
    write_report(path, overwrite=True)
    first = (path / "report.html").read_bytes()
    assert re.match(rb"<!DOCTYPE html>", first)


def test_a_large_corpus_makes_no_large_page(tmp_path: Path) -> None:
    sentences = random_sentences(seed=2, count=4000)
    for place, token in enumerate(token for sentence in sentences for token in sentence):
        token.text = f"{token.text}{place % 3000}" + "x" * (place % 90)
    path = write_report(FullRun(sentences, random_issues(sentences)).write(tmp_path / "run"))
    assert path.stat().st_size < 1_000_000
