"""Issues of a run come back as they were written, and what does not fit the corpus is refused by its line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.issues.issue import KINDS, Issue
from trustag.runs.folder import RunFolder
from trustag.runs.issue_files import (
    are_entities_within,
    issues_of_run,
    read_given,
    read_issues,
    spans_within,
    write_issues,
)
from trustag.runs.reading import open_runs
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

SCORES = st.floats(0, 1)
TOKENS = 6


@st.composite
def issues(draw: st.DrawFn) -> list[Issue]:
    """Issues of sentences without entities, each of another sentence."""
    found = []
    for sentence in range(draw(st.integers(0, 4))):
        first = draw(st.integers(0, TOKENS - 1))
        end = draw(st.integers(first + 1, TOKENS))
        suggested = (Span(first, end, draw(st.sampled_from(["PER", "Größe"]))),) if draw(st.booleans()) else ()
        scores = (draw(SCORES), draw(SCORES), draw(SCORES))
        parts = (draw(st.none() | SCORES), draw(st.none() | SCORES), draw(st.none() | SCORES))
        found.append(Issue(sentence, first, end, draw(st.sampled_from(KINDS)), (), suggested, *scores, *parts))
    return draw(st.permutations(found))


@given(issues())
def test_issues_come_back_in_their_order(found: list[Issue]) -> None:
    with scratch_file("anything before", "issues.jsonl") as file:
        run = RunFolder(file.path.parent)
        write_issues(run.issues, found)
        sentence = Sentence(("a",) * TOKENS, ("O",) * TOKENS)
        assert read_issues(run, (sentence,) * len(found)) == tuple(found)


@pytest.mark.parametrize("line", ['{"sentence": 0}', "[]", "{", '{"given": 3, "suggested": []}'])
def test_a_line_that_is_no_issue_is_refused_by_number(line: str, tmp_path: Path) -> None:
    path = written_run(tmp_path, MISSED) / "issues.jsonl"
    path.write_text(f"{path.read_text()}{line}\n")
    with pytest.raises(InputError, match="issues.jsonl:2"):
        issues_of_run(tmp_path)


MISSED = Issue(0, 0, 1, "missed", (), (Span(0, 1, "PER"),), 0.9, 0.1, 0.9)


def written_run(folder: Path, *issues: Issue) -> Path:
    (folder / "manifest.json").write_text("{}")
    (folder / "given.jsonl").write_text(json.dumps({"tokens": ["Ann", "ran"], "ner_tags": ["O", "O"]}) + "\n")
    write_issues(folder / "issues.jsonl", issues)
    return folder


def test_a_run_gives_its_corpus_and_its_issues(tmp_path: Path) -> None:
    found = issues_of_run(str(written_run(tmp_path, MISSED)))
    assert [sentence.tokens for sentence in found.sentences] == [("Ann", "ran")]
    assert tuple(found) == (MISSED,)


@pytest.mark.parametrize(("sentence", "first", "end"), [(1, 0, 1), (-1, 0, 1), (0, 1, 3), (0, 1, 1), (0, -1, 1)])
def test_an_issue_outside_the_corpus_is_refused_by_its_line(
    sentence: int, first: int, end: int, tmp_path: Path
) -> None:
    outside = Issue(sentence, first, end, "missed", (), (Span(0, 1, "PER"),), 0.9, 0.1, 0.9)
    with pytest.raises(InputError, match="issues.jsonl:2"):
        issues_of_run(written_run(tmp_path, MISSED, outside))


@pytest.mark.parametrize("name", ["manifest.json", "given.jsonl", "issues.jsonl"])
def test_a_run_that_lacks_a_file_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    (written_run(tmp_path) / name).unlink()
    with pytest.raises(InputError, match=name):
        issues_of_run(tmp_path)


@pytest.mark.parametrize(
    ("issue", "message"),
    [
        (Issue(0, 0, 2, "missed", (), (Span(0, 1, "PER"),), 0.9, 0.1, 0.9), "shares tokens with another issue"),
        (Issue(0, 1, 2, "missed", (), (Span(0, 2, "PER"),), 0.9, 0.1, 0.9), "the suggested entities overlap or lie"),
        (Issue(0, 1, 2, "missed", (), (Span(1, 2, ""),), 0.9, 0.1, 0.9), "the suggested entities overlap or lie"),
        (Issue(0, 1, 2, "spurious", (Span(1, 2, "PER"),), (), 0.9, 0.1, 0.9), "the given entities are not those of"),
    ],
)
def test_an_issue_that_contradicts_the_corpus_or_another_is_refused(issue: Issue, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"issues.jsonl:2: {message}.*; use issues.jsonl and given.jsonl of the same"):
        issues_of_run(written_run(tmp_path, MISSED, issue))


def test_reports_and_commands_read_the_same_issues(tmp_path: Path) -> None:
    written_run(tmp_path, MISSED)
    (opened,) = open_runs([tmp_path])
    assert (opened.given, opened.issues) == (read_given(RunFolder(tmp_path)), (MISSED,))
    (tmp_path / "given.jsonl").unlink()
    (without,) = open_runs([tmp_path])
    assert without.given is None
    assert without.issues


def test_spans_are_found_by_the_tokens_they_share() -> None:
    spans = (Span(0, 2, "PER"), Span(3, 4, "LOC"))
    assert spans_within(spans, 1, 3) == spans[:1]
    assert spans_within(spans, 2, 3) == ()
    assert are_entities_within(spans, 0, 4)
    assert not are_entities_within(spans[::-1], 0, 4)
    assert not are_entities_within(spans, 1, 4)
