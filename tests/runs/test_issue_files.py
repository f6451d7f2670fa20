"""Issues of a run come back as they were written, and what does not fit the corpus is refused by its line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.issues.issue import KINDS, Issue
from trustag.runs.issue_files import issues_of_run, placed_issues, read_issues, write_issues
from trustag.text.spans import Span

SPANS = st.lists(st.builds(Span, st.integers(0, 5), st.integers(6, 9), st.sampled_from(["PER", "Größe"])), max_size=2)
SCORES = st.floats(0, 1)
ISSUES = st.builds(
    Issue,
    sentence=st.integers(0, 9),
    first=st.integers(0, 5),
    end=st.integers(6, 9),
    kind=st.sampled_from(KINDS),
    given=SPANS.map(tuple),
    suggested=SPANS.map(tuple),
    score=SCORES,
    given_score=SCORES,
    suggested_score=SCORES,
    position_score=st.none() | SCORES,
    type_score=st.none() | SCORES,
    held=st.none() | SCORES,
)


@given(st.lists(ISSUES, max_size=4))
def test_issues_come_back_in_their_order_with_their_lines(issues: list[Issue]) -> None:
    with scratch_file("anything before", "issues.jsonl") as file:
        write_issues(file.path, issues)
        assert read_issues(file.path) == tuple(issues)
        assert [source.line for source, _ in placed_issues(file.path)] == list(range(1, len(issues) + 1))


@pytest.mark.parametrize("line", ['{"sentence": 0}', "[]", "{", '{"given": 3, "suggested": []}'])
def test_a_line_that_is_no_issue_is_refused_by_number(line: str, tmp_path: Path) -> None:
    path = tmp_path / "issues.jsonl"
    write_issues(path, [MISSED])
    path.write_text(f"{path.read_text()}{line}\n")
    with pytest.raises(InputError, match="issues.jsonl:2"):
        read_issues(path)


MISSED = Issue(0, 0, 1, "missed", (), (Span(0, 1, "PER"),), 0.9, 0.1, 0.9)


def run(folder: Path, *issues: Issue) -> Path:
    (folder / "manifest.json").write_text("{}")
    (folder / "given.jsonl").write_text(json.dumps({"tokens": ["Ann", "ran"], "ner_tags": ["O", "O"]}) + "\n")
    write_issues(folder / "issues.jsonl", issues)
    return folder


def test_a_run_gives_its_corpus_and_its_issues(tmp_path: Path) -> None:
    found = issues_of_run(str(run(tmp_path, MISSED)))
    assert [sentence.tokens for sentence in found.sentences] == [("Ann", "ran")]
    assert tuple(found) == (MISSED,)


@pytest.mark.parametrize(("sentence", "first", "end"), [(1, 0, 1), (-1, 0, 1), (0, 1, 3), (0, 1, 1), (0, -1, 1)])
def test_an_issue_outside_the_corpus_is_refused_by_its_line(
    sentence: int, first: int, end: int, tmp_path: Path
) -> None:
    outside = Issue(sentence, first, end, "missed", (), (Span(0, 1, "PER"),), 0.9, 0.1, 0.9)
    with pytest.raises(InputError, match="issues.jsonl:2"):
        issues_of_run(run(tmp_path, MISSED, outside))


@pytest.mark.parametrize("name", ["manifest.json", "given.jsonl", "issues.jsonl"])
def test_a_run_that_lacks_a_file_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    (run(tmp_path) / name).unlink()
    with pytest.raises(InputError, match=name):
        issues_of_run(tmp_path)
