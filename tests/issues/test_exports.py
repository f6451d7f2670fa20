"""Exports hold every issue, read back as the suggested labels, and bring no formula into a spreadsheet."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import InputError
from trustag.issues.exports import EXPORTS, export_for, tasks_of, write_export
from trustag.issues.issue import Issue
from trustag.runs.folder import RunFolder
from trustag.runs.issue_files import read_issues, write_issues
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

SENTENCES = (
    Sentence(("Ann", "flew", "to", "New", "York", "."), ("B-PER", "O", "O", "B-LOC", "O", "O")),
    Sentence(("=HYPERLINK(1)", "of", "Reuters"), ("O", "O", "B-PER")),
    Sentence(("nothing", "here"), ("O", "O")),
)
ISSUES = (
    Issue(1, 2, 3, "type", (Span(2, 3, "PER"),), (Span(2, 3, "ORG"),), 0.9, 0.05, 0.9, 0.8, 0.1, 0.75),
    Issue(0, 3, 5, "boundary", (Span(3, 4, "LOC"),), (Span(3, 5, "LOC"),), 0.8, 0.1, 0.85),
    Issue(1, 0, 1, "missed", (), (Span(0, 1, "MISC"),), 0.6, 0.4, 0.5),
    Issue(0, 0, 1, "spurious", (Span(0, 1, "PER"),), (), 0.55, 0.45, 0.5),
)
SUGGESTED = {0: [Span(3, 5, "LOC")], 1: [Span(0, 1, "MISC"), Span(2, 3, "ORG")]}


def exported(form: str) -> bytes:
    stream_out = io.BytesIO()
    write_export(stream_out, form, ISSUES, SENTENCES)
    return stream_out.getvalue()


@pytest.mark.parametrize("form", ["label-studio", "doccano", "prodigy"])
def test_tasks_read_back_as_the_suggested_entities_worst_first(form: str, tmp_path: Path) -> None:
    file = tmp_path / f"tasks{EXPORTS[form].suffix}"
    file.write_bytes(exported(form))
    read = list(stream(str(file), CorpusOptions(form)))
    assert [sentence.tokens for sentence in read] == [SENTENCES[1].tokens, SENTENCES[0].tokens]
    assert [read_spans(sentence.labels) for sentence in read] == [SUGGESTED[1], SUGGESTED[0]]


@pytest.mark.parametrize("form", ["label-studio", "doccano", "prodigy", "argilla"])
def test_tasks_carry_what_answers_need_to_find_their_way_back(form: str) -> None:
    data = exported(form)
    records = json.loads(data) if EXPORTS[form].suffix == ".json" else [json.loads(line) for line in data.splitlines()]
    facts = [record.get("data") or record.get("metadata") or record for record in records]
    assert [fact["trustag_sentence"] for fact in facts] == [1, 0]
    assert [fact["trustag_score"] for fact in facts] == [0.9, 0.8]
    names = [[i if isinstance(i, str) else i["id"] for i in fact["trustag_issues"]] for fact in facts]
    assert names == [["1-2-3", "1-0-1"], ["0-3-5", "0-0-1"]]


def test_label_studio_shows_the_suggestion_which_is_the_last_prediction() -> None:
    for number, record in zip((1, 0), json.loads(exported("label-studio")), strict=True):
        given, suggested = record["predictions"]
        assert (given["model_version"], suggested["model_version"]) == ("given", "trustag")
        assert [result["value"]["labels"] for result in suggested["result"]] == [[s.type] for s in SUGGESTED[number]]


def test_argilla_values_have_characters_and_a_score() -> None:
    (first, _) = json.loads(exported("argilla"))
    (suggestion,) = first["suggestions"]
    assert suggestion["score"] == 0.5
    text = first["fields"]["text"]
    assert [text[span["start"] : span["end"]] for span in suggestion["value"]] == ["=HYPERLINK(1)", "Reuters"]


def test_json_lines_hold_every_issue_in_full() -> None:
    records = [json.loads(line) for line in exported("jsonl").splitlines()]
    assert [record["id"] for record in records] == [issue.id for issue in ISSUES]
    assert [record["text"] for record in records] == ["Reuters", "New York", "=HYPERLINK(1)", "Ann"]
    assert records[0]["held"] == 0.75


def test_no_cell_of_a_table_is_a_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(exported("csv").decode())))
    assert [row["text"] for row in rows] == ["Reuters", "New York", "'=HYPERLINK(1)", "Ann"]
    assert rows[0]["context"].startswith("'=")
    assert [row["given_label"] for row in rows] == ["PER", "LOC `New`", "O", "PER"]


@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=3))
def test_any_words_survive_a_table(words: list[str]) -> None:
    sentence = Sentence(tuple(words), ("O",) * len(words))
    issue = Issue(0, 0, 1, "missed", (), (Span(0, 1, words[0]),), 0.5, 0.5, 0.5)
    stream_out = io.BytesIO()
    if any("\ud800" <= letter <= "\udfff" for word in words for letter in word):
        return
    write_export(stream_out, "csv", [issue], [sentence])
    (row,) = csv.DictReader(io.StringIO(stream_out.getvalue().decode(), newline=""))
    for cell, plain in ((row["text"], words[0]), (row["suggested_label"], words[0]), (row["context"], sentence.text)):
        assert cell in {plain, f"'{plain}"}
        assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_the_name_of_a_file_tells_its_form() -> None:
    assert export_for(Path("a.csv")) == "csv"
    assert export_for(Path("a.jsonl.gz")) == "jsonl"
    assert export_for(Path("a.json")) == "label-studio"
    with pytest.raises(InputError, match="--to"):
        export_for(Path("a.txt"))


def test_every_issue_is_in_one_task() -> None:
    tasks = tasks_of(ISSUES, SENTENCES)
    assert sorted(issue.id for task in tasks for issue in task.issues) == sorted(issue.id for issue in ISSUES)
    assert len({task.number for task in tasks}) == len(tasks)


def test_a_file_of_issues_reads_back_and_faults_are_named(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    write_issues(run.issues, ISSUES)
    assert read_issues(run, SENTENCES) == ISSUES
    write_issues(run.issues, ())
    assert read_issues(run, SENTENCES) == ()
    run.issues.write_text('{"sentence": 1}\n')
    with pytest.raises(InputError, match="issues.jsonl:1: is no issue"):
        read_issues(run, SENTENCES)
