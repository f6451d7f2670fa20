"""The files of a run under review: what is read from them, and that missing or inconsistent files are refused."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.review.small_run import ISSUES, SENTENCES, issue, write_run
from trustag.errors import InputError
from trustag.issues.issue import Issue
from trustag.review.reviewed_run import open_reviewed_run
from trustag.runs.issue_files import are_entities_within, spans_within
from trustag.text.schemes import Scheme
from trustag.text.spans import Span


def test_a_run_is_read_with_its_likeliest_errors_first(tmp_path: Path) -> None:
    run = open_reviewed_run(write_run(tmp_path / "run", issues=ISSUES[::-1]))
    assert run.issues == ISSUES
    assert [sentence.labels for sentence in run.sentences] == [sentence.labels for sentence in SENTENCES]
    assert (run.scheme, run.types) == (Scheme.IOB2, ("LOC", "ORG", "PER"))
    assert run.decisions == tmp_path / "run" / "decisions.sqlite"


def test_the_fingerprint_identifies_the_corpus_and_not_the_issues(tmp_path: Path) -> None:
    first = open_reviewed_run(write_run(tmp_path / "first"))
    other_issues = open_reviewed_run(write_run(tmp_path / "second", issues=ISSUES[:2]))
    other_corpus = open_reviewed_run(write_run(tmp_path / "third", SENTENCES[:3], ISSUES[:3]))
    assert first.fingerprint == other_issues.fingerprint != other_corpus.fingerprint


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("issues.jsonl", '{"sentence": 0}', "issues.jsonl:1: is no issue"),
        ("issues.jsonl", "[", "issues.jsonl:1: "),
        (
            "given.jsonl",
            '{"tokens": ["x"], "ner_tags": ["O"]}',
            "issues.jsonl:1: tokens 4 to 5 lie outside",
        ),
    ],
)
def test_invalid_files_are_refused(tmp_path: Path, file: str, line: str, message: str) -> None:
    folder = write_run(tmp_path / "run")
    (folder / file).write_text(line + "\n")
    with pytest.raises(InputError, match=message):
        open_reviewed_run(folder)


def test_issues_of_another_corpus_are_refused(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [*SENTENCES[1:], SENTENCES[0]])
    with pytest.raises(InputError, match="use issues.jsonl and given.jsonl of the same run"):
        open_reviewed_run(folder)
    (folder / "given.jsonl").unlink()
    with pytest.raises(InputError, match="contains no given.jsonl"):
        open_reviewed_run(folder)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (replace(ISSUES[0], sentence=9), "sentence 9 does not exist: given.jsonl has 5"),
        (replace(ISSUES[0], given=(Span(4, 5, "LOC"),)), "the given entities are not those of given.jsonl"),
        (issue(0, 4, 5, 0.5, Span(4, 6, "ORG")), "the suggested entities overlap or lie outside the issue"),
        (issue(1, 0, 2, 0.5), "shares tokens with another issue of sentence 1"),
    ],
)
def test_each_inconsistency_has_its_own_message(tmp_path: Path, wrong: Issue, message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_reviewed_run(write_run(tmp_path / "run", issues=[ISSUES[1], wrong]))


def test_spans_within_are_those_that_share_a_token() -> None:
    spans = [Span(0, 2, "PER"), Span(2, 3, "LOC"), Span(5, 6, "ORG")]
    assert spans_within(spans, 1, 3) == (Span(0, 2, "PER"), Span(2, 3, "LOC"))
    assert spans_within(spans, 3, 5) == ()


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ((), True),
        ((Span(1, 2, "PER"), Span(2, 4, "LOC")), True),
        ((Span(2, 4, "LOC"), Span(1, 2, "PER")), False),
        ((Span(1, 3, "PER"), Span(2, 4, "LOC")), False),
        ((Span(0, 2, "PER"),), False),
        ((Span(3, 5, "PER"),), False),
        ((Span(2, 2, "PER"),), False),
        ((Span(1, 2, ""),), False),
    ],
)
def test_a_reading_is_sorted_disjoint_inside_and_typed(spans: tuple[Span, ...], expected: bool) -> None:
    assert are_entities_within(spans, 1, 4) is expected
