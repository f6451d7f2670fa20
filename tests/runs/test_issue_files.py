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
from trustag.runs.issue_files import issues_of_run, read_issues, write_issues
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

SCORES = st.floats(0, 1)
WORDS = ("Ann", "Lee", "saw", "Größe")
SENTENCES = (Sentence(WORDS, ("B-PER", "I-PER", "O", "O")), Sentence(WORDS, ("O", "O", "O", "B-Größe")))
GIVEN = {(0, 0): (Span(0, 2, "PER"),), (0, 2): (), (1, 0): (), (1, 2): (Span(3, 4, "Größe"),)}
"""The given entities of the first and the second half of each sentence."""


@st.composite
def issue_lists(draw: st.DrawFn) -> list[Issue]:
    """Return issues of some halves of the sentences, in any order."""
    halves = draw(st.lists(st.sampled_from(sorted(GIVEN)), unique=True))
    issues = []
    for sentence, first in halves:
        start = first + draw(st.integers(0, 1))
        entity = Span(start, draw(st.integers(start + 1, first + 2)), draw(st.sampled_from(["PER", "Größe"])))
        issues.append(
            Issue(
                sentence=sentence,
                first=first,
                end=first + 2,
                kind=draw(st.sampled_from(KINDS)),
                given=GIVEN[sentence, first],
                suggested=draw(st.sampled_from([(), (entity,)])),
                score=draw(SCORES),
                given_score=draw(SCORES),
                suggested_score=draw(SCORES),
                position_score=draw(st.none() | SCORES),
                type_score=draw(st.none() | SCORES),
                held=draw(st.none() | SCORES),
            )
        )
    return issues


@given(issue_lists())
def test_issues_come_back_in_their_order(issues: list[Issue]) -> None:
    with scratch_file("anything before", "issues.jsonl") as file:
        write_issues(file.path, issues)
        assert read_issues(RunFolder(file.path.parent), SENTENCES) == tuple(issues)


@pytest.mark.parametrize("line", ['{"sentence": 0}', "[]", "{", '{"given": 3, "suggested": []}'])
def test_a_line_that_is_no_issue_is_refused_by_number(line: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    write_issues(folder.issues, [MISSED])
    folder.issues.write_text(f"{folder.issues.read_text()}{line}\n")
    with pytest.raises(InputError, match="issues.jsonl:2"):
        read_issues(folder, [Sentence(("Ann", "ran"), ("O", "O"))])


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


PERSON = (Span(0, 1, "PER"),)
FAULTS = {
    "shares tokens": Issue(0, 0, 2, "missed", (), PERSON, 0.9, 0.1, 0.9),
    "outside the issue": Issue(0, 1, 2, "missed", (), PERSON, 0.9, 0.1, 0.9),
    "given entities": Issue(0, 1, 2, "spurious", (Span(1, 2, "PER"),), (), 0.9, 0.1, 0.9),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_issue_that_contradicts_the_corpus_or_another_one_is_refused(fault: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"issues.jsonl:2.*{fault}"):
        issues_of_run(run(tmp_path, MISSED, FAULTS[fault]))
