"""The report: its numbers are those of the run's files, and what is missing is said."""

import json
import re
from pathlib import Path

import pytest

from tests.figures.written import WrittenRun, epoch
from tests.reports.random_run import ISSUES, SENTENCES, random_issues, random_sentences
from tests.reports.written import FullRun, PageReader
from trustag.errors import InputError
from trustag.reports.blocks import Lack
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
    assert "Not here" not in page.text.replace("Not here: confidence in right and wrong labels, detection", "")


def test_a_run_that_believes_every_label_has_a_report_that_says_so(tmp_path: Path) -> None:
    path = WrittenRun(recipe="[rounds]\ncount = 0\n", epochs=[epoch(0, 0.5), epoch(1, 0.6)]).write(tmp_path / "run")
    (path / "given.jsonl").write_text(json.dumps({"tokens": ["Ann", "slept"], "ner_tags": ["B-PER", "O"]}) + "\n")
    (run,) = open_runs([path])
    page = run_report(run)
    lacks = [
        block.text.split(":")[0] for section in page.sections for block in section.blocks if isinstance(block, Lack)
    ]
    assert lacks == [
        "results",
        "noise rates",
        "issues",
        "issues",
        "given and believed labels",
        "rounds",
        "the data map",
        "reliability",
    ]
    text = PageReader(render(page)).text
    assert "trained on 1 sentence with 2 labels, believing every label" in text
    assert "Every name has the same label wherever it stands." in text


def test_older_runs_without_dynamics_issues_or_given_corpus_are_shown(tmp_path: Path) -> None:
    path = WrittenRun(sentences=[], recipe="[rounds]\ncount = 1\n", folds=[[epoch(0, 0.5)]]).write(tmp_path / "run")
    text = PageReader(render(run_report(open_runs([path])[0]))).text
    assert "Not here: words: the run kept no training corpus" in text
    assert "Not here: keep ratios" in text


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    path = FullRun(SENTENCES, ISSUES).write(tmp_path / "run")
    (path / "report.html").write_text("precious")
    with pytest.raises(InputError, match=r"report.html: exists already; .*--overwrite"):
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
