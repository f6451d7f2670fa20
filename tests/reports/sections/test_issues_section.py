"""Review effort and the worst issues; issues that fit no sentence are refused."""

import json
from pathlib import Path

import pytest

from tests.reports.random_run import ISSUES, SENTENCES, number, tables
from tests.reports.written import Assessed, FullRun
from trustag.errors import InputError
from trustag.issues.issue import Issue
from trustag.reports.blocks import Folded, MarkedSentences
from trustag.reports.run_report import run_report, write_report
from trustag.reports.sections.issues_section import effort_section, issues_section
from trustag.runs.reading import open_runs
from trustag.text.spans import Span


def test_review_effort_adds_up_the_scores_and_the_gold_column(tmp_path: Path) -> None:
    section = effort_section(FullRun(SENTENCES, ISSUES).open(tmp_path / "run"))
    total = sum(issue.score for issue in ISSUES)
    wrong = [SENTENCES[issue.sentence][0].given != SENTENCES[issue.sentence][0].gold for issue in ISSUES]
    for row in tables(section)[0].rows:
        reviewed = number(str(row[0]))
        assert row[1] == f"{100 * sum(issue.score for issue in ISSUES[:reviewed]) / total:.1f} %"
        assert row[2] == f"{100 * sum(wrong[:reviewed]) / sum(wrong):.1f} %"


def test_the_worst_issues_are_shown_and_the_others_counted(tmp_path: Path) -> None:
    many = [Assessed("w", "O", "S-PER")] * 150
    issues = [
        Issue(0, place, place + 1, "missed", (), (Span(place, place + 1, "PER"),), 0.9, 0.1, 0.9)
        for place in range(150)
    ]
    section = issues_section(FullRun([many], issues).open(tmp_path / "run"))
    shown, folded = section.blocks[-2:]
    assert isinstance(shown, MarkedSentences)
    assert isinstance(folded, Folded)
    (others,) = folded.blocks
    assert isinstance(others, MarkedSentences)
    assert (len(shown.sentences), len(others.sentences), folded.summary) == (10, 90, "Show 90 more")
    assert any("The other 50 are in issues.jsonl." in str(block) for block in section.blocks)
    repeated = tables(section)[1].rows
    assert list(repeated[0]) == ["w", "no entity", "PER", "150", "0.90"]


def test_an_issue_that_fits_no_sentence_names_its_line(tmp_path: Path) -> None:
    issues = [ISSUES[0], Issue(0, 3, 99, "missed", (), (Span(3, 99, "PER"),), 0.9, 0.1, 0.9)]
    run = FullRun(SENTENCES, issues).open(tmp_path / "run")
    with pytest.raises(InputError, match=r"issues.jsonl:2: tokens 3 to 99 lie outside a sentence of 2; use issues"):
        run_report(run)


def test_a_line_that_is_no_issue_is_named(tmp_path: Path) -> None:
    path = FullRun(SENTENCES, ISSUES).write(tmp_path / "run")
    (path / "issues.jsonl").write_text('{"sentence": 0}\n')
    with pytest.raises(InputError, match=r"issues.jsonl:1: is no issue"):
        write_report(path)


def test_sources_of_labels_are_ranked(tmp_path: Path) -> None:
    sentences = [[Assessed("Ann", "S-PER", "O")], [Assessed("Rome", "S-LOC", "S-LOC")]]
    issues = [Issue(0, 0, 1, "spurious", (Span(0, 1, "PER"),), (), 0.75, 0.1, 0.9)]
    path = FullRun(sentences, issues).write(tmp_path / "run")
    given = [
        {"tokens": ["Ann"], "ner_tags": ["S-PER"], "token_sources": ["list:names+anna"]},
        {"tokens": ["Rome"], "ner_tags": ["S-LOC"], "token_sources": ["anna"]},
    ]
    (path / "given.jsonl").write_text("".join(json.dumps(record) + "\n" for record in given))
    (run,) = open_runs([path])
    table = next(table for table in tables(issues_section(run)) if table.caption.startswith("Sources"))
    assert [list(row) for row in table.rows] == [["list:names", "1", "1", "75.0 %"], ["anna", "2", "1", "37.5 %"]]
