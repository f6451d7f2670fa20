"""Answers from other tools: their labels become decisions, and unusable answers are reported."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.review.small_run import MONDAY, NEW_YORK, REUTERS, SENTENCES, issue, write_run
from trustag.errors import InputError
from trustag.files.raw_texts import stored_tokens
from trustag.notes import Note, unwatched
from trustag.review.answers import read_answers
from trustag.review.applying import correct
from trustag.review.decisions import DecisionLog
from trustag.review.entries import ReviewDecision
from trustag.review.exporting import decision_lines
from trustag.review.reviewed_run import ReviewedRun, open_reviewed_run
from trustag.review.session import ReviewAction, ReviewSession
from trustag.text.sentences import REVIEWED, Sentence
from trustag.text.spans import Span, read_spans

Entities = list[tuple[int, int, str]]  # in characters


@pytest.fixture
def run(tmp_path: Path) -> ReviewedRun:
    return open_reviewed_run(write_run(tmp_path / "run"))


def label_studio(sentence: Sentence, facts: dict[str, Any], entities: Entities | None) -> dict[str, Any]:
    region = {"from_name": "label", "to_name": "text", "type": "labels"}
    results = [{**region, "value": {"start": s, "end": e, "labels": [kind]}} for s, e, kind in entities or []]
    annotations = [] if entities is None else [{"id": 7, "completed_by": 1, "result": results}]
    data = {"text": sentence.text, "tokens": stored_tokens(sentence), **facts}
    # The suggestion is still in the export and is not an answer.
    suggestion = {**region, "value": {"start": 0, "end": 3, "labels": ["MISC"]}}
    return {"id": 1, "data": data, "annotations": annotations, "predictions": [{"result": [suggestion]}]}


def doccano(sentence: Sentence, facts: dict[str, Any], entities: Entities | None) -> dict[str, Any]:
    return {"id": 99, "text": sentence.text, "label": entities or [], "Comments": [], **facts}


def prodigy(sentence: Sentence, facts: dict[str, Any], entities: Entities | None) -> dict[str, Any]:
    spans = [{"start": s, "end": e, "label": kind} for s, e, kind in entities or []]
    answer = {} if entities is None else {"answer": "accept"}
    return {"text": sentence.text, "spans": spans, "meta": facts, "_task_hash": 5, **answer}


TOOLS = {"label-studio": label_studio, "doccano": doccano, "prodigy": prodigy}


def write_tasks(path: Path, tool: str, tasks: list[tuple[int, dict[str, Any], Entities | None]]) -> Path:
    records = [TOOLS[tool](SENTENCES[number], facts, entities) for number, facts, entities in tasks]
    text = json.dumps(records) if tool == "label-studio" else "".join(json.dumps(record) + "\n" for record in records)
    path.write_text(text)
    return path


@pytest.mark.parametrize("tool", TOOLS)
def test_the_answer_to_a_sentence_settles_all_of_it(run: ReviewedRun, tmp_path: Path, tool: str) -> None:
    tasks: list[tuple[int, dict[str, Any], Entities | None]] = [
        (0, {"trustag_sentence": 0}, [(0, 7, "PER"), (18, 25, "ORG")]),
        (4, {"trustag_sentence": 4, "trustag_issues": [{"id": MONDAY}]}, [(4, 10, "LOC")]),
        (2, {"trustag_sentence": 2}, [(12, 20, "ORG")]),
    ]
    found = read_answers(write_tasks(tmp_path / "answers.json", tool, tasks), run, "auto", unwatched)
    assert [(one.sentence, one.verdict) for one in found] == [(0, "accepted"), (4, "rejected"), (2, "edited")]
    corrected = correct(run.sentences, found, run.scheme, unwatched).sentences
    assert corrected[0].labels == ("B-PER", "I-PER", "O", "O", "B-ORG", "O")
    assert read_spans(corrected[2].labels) == [Span(3, 5, "ORG")]
    assert corrected[4].token_sources == (REVIEWED,) * 5
    assert corrected[1].labels == SENTENCES[1].labels


@pytest.mark.parametrize("tool", TOOLS)
def test_the_answer_to_an_issue_settles_its_words(run: ReviewedRun, tmp_path: Path, tool: str) -> None:
    facts = {"trustag_issue": REUTERS, "trustag_sentence": 0}
    notes: list[Note] = []
    path = write_tasks(tmp_path / "answers.json", tool, [(0, facts, [(18, 25, "ORG"), (8, 13, "MISC")])])
    found = read_answers(path, run, "auto", notes.append)
    assert found == [ReviewDecision(REUTERS, "accepted", 0, 4, 5, (Span(4, 5, "ORG"),), reviewer=str(path))]
    assert "new entity outside the issue" in [note.reason for note in notes]


def test_only_answers_count(run: ReviewedRun, tmp_path: Path) -> None:
    for tool in ("label-studio", "prodigy"):
        notes: list[Note] = []
        path = write_tasks(tmp_path / f"{tool}.json", tool, [(2, {"trustag_issue": NEW_YORK}, None)])
        assert read_answers(path, run, "auto", notes.append) == []
        assert [note for note in notes if note.kind == "left out" and NEW_YORK in note.detail]


def test_rejected_prodigy_tasks_settle_nothing_and_do_not_shift_the_others(run: ReviewedRun, tmp_path: Path) -> None:
    rejected = {**prodigy(SENTENCES[0], {"trustag_issue": REUTERS}, []), "answer": "reject"}
    accepted = prodigy(SENTENCES[2], {"trustag_issue": NEW_YORK}, [(12, 20, "LOC")])
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(rejected) + "\n" + json.dumps(accepted) + "\n")
    notes: list[Note] = []
    assert [one.issue for one in read_answers(path, run, "auto", notes.append)] == [NEW_YORK]
    assert "answer is 'reject'" in [note.reason for note in notes]


@pytest.mark.parametrize("tool", TOOLS)
def test_an_answer_with_a_misaligned_entity_settles_nothing(run: ReviewedRun, tmp_path: Path, tool: str) -> None:
    notes: list[Note] = []
    path = write_tasks(tmp_path / "answers.json", tool, [(2, {"trustag_issue": NEW_YORK}, [(12, 18, "LOC")])])
    assert read_answers(path, run, "auto", notes.append) == []
    assert "answer with an entity that does not match token boundaries" in [note.reason for note in notes]


def test_entities_of_another_tokenisation_are_matched_by_characters(tmp_path: Path) -> None:
    corpus = [Sentence(("The", "U.S.", "won"), ("O", "O", "O"))]
    run = open_reviewed_run(
        write_run(tmp_path / "run", corpus, [issue(0, 1, 2, 0.9, Span(1, 2, "LOC"), corpus=corpus)])
    )
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps(doccano(corpus[0], {"trustag_issue": "0-1-2"}, [(4, 8, "LOC")])) + "\n")
    assert [one.verdict for one in read_answers(answers, run, "auto", unwatched)] == ["accepted"]
    answers.write_text(json.dumps(doccano(corpus[0], {"trustag_issue": "0-1-2"}, [(4, 7, "LOC")])) + "\n")
    assert read_answers(answers, run, "auto", unwatched) == []


def test_answers_to_another_run_are_reported(run: ReviewedRun, tmp_path: Path) -> None:
    notes: list[Note] = []
    path = write_tasks(tmp_path / "a.jsonl", "doccano", [(0, {"trustag_issue": "9-9-9"}, []), (1, {}, [])])
    assert read_answers(path, run, "auto", notes.append) == []
    assert [note.reason for note in notes if "matches" in note.reason] == [
        "answer that matches nothing in this run"
    ] * 2
    path = write_tasks(tmp_path / "b.jsonl", "doccano", [(0, {"trustag_sentence": 1}, [])])
    with pytest.raises(InputError, match="b.jsonl:1: the text differs from sentence 1"):
        read_answers(path, run, "auto", unwatched)


def test_foreign_texts_in_a_doccano_project_do_not_lose_the_answers(tmp_path: Path) -> None:
    """If one text lacks these keys, doccano exports null for it and writes the numbers of all others as floats."""
    corpus = [replace(sentence, id=str(number)) for number, sentence in enumerate(SENTENCES)]
    run = open_reviewed_run(write_run(tmp_path / "run", corpus))
    answers = tmp_path / "all.jsonl"
    ours = doccano(SENTENCES[2], {"trustag_sentence": 2.0, "tokens": SENTENCES[2].tokens}, [(12, 20, "LOC")])
    others = doccano(Sentence(("Something", "else"), ("O", "O")), {"trustag_sentence": None, "tokens": None}, [])
    answers.write_text(json.dumps(ours) + "\n" + json.dumps({**others, "id": 1}) + "\n")
    notes: list[Note] = []
    found = read_answers(answers, run, "auto", notes.append)
    assert [(one.sentence, one.verdict) for one in found] == [(2, "accepted")]
    assert [note.detail for note in notes if "matches nothing" in note.reason] == ["task 1"]


def test_a_json_min_export_of_label_studio_may_begin_with_an_answer_without_entities(
    run: ReviewedRun, tmp_path: Path
) -> None:
    metadata = {"id": 1, "annotator": 1, "annotation_id": 1, "created_at": "2026-01-01T00:00:00Z", "lead_time": 1.0}
    region = {"start": 12, "end": 20, "text": "New York", "labels": ["LOC"]}
    records: list[dict[str, Any]] = [
        {"text": sentence.text, "tokens": sentence.tokens, "trustag_sentence": number, **metadata}
        for number, sentence in ((4, SENTENCES[4]), (2, SENTENCES[2]))
    ]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps([records[0], {**records[1], "label": [region]}]))
    found = read_answers(path, run, "auto", unwatched)
    assert [(one.sentence, one.verdict, one.spans) for one in found] == [
        (4, "accepted", ()),
        (2, "accepted", (Span(3, 5, "LOC"),)),
    ]


def test_that_doccano_does_not_export_approval_is_reported(run: ReviewedRun, tmp_path: Path) -> None:
    for tool in TOOLS:
        notes: list[Note] = []
        path = write_tasks(tmp_path / f"{tool}.json", tool, [(0, {"trustag_sentence": 0}, [])])
        read_answers(path, run, "auto", notes.append)
        is_reported = "every doccano document counts as an answer" in [note.reason for note in notes]
        assert is_reported == (tool == "doccano")


def test_exported_decisions_come_back_as_they_were(run: ReviewedRun, tmp_path: Path) -> None:
    session = ReviewSession(run, DecisionLog(run.decisions, run.fingerprint))
    session.decide(ReviewAction(REUTERS, 0, "accepted", "Ann", "clear", for_identical=True))
    session.decide(ReviewAction(MONDAY, 0, "rejected", "Bob"))
    session.undo("Bob")
    path = tmp_path / "decisions.jsonl"
    path.write_bytes(b"".join(decision_lines(session.state)))
    assert read_answers(path, run, "auto", unwatched) == session.state.final_decisions()
    assert len(path.read_text().splitlines()) == 5
    session.close()


def test_decisions_on_another_run_are_refused(run: ReviewedRun, tmp_path: Path) -> None:
    record = {"issue": "", "verdict": "edited", "in_force": True, "sentence": 99, "first": 0, "end": 1, "spans": []}
    path = tmp_path / "decisions.jsonl"
    path.write_text(json.dumps(record) + "\n")
    with pytest.raises(InputError, match="decisions.jsonl:1: does not match the sentences of the run"):
        read_answers(path, run, "auto", unwatched)
