"""``trustag review --export`` and ``trustag apply`` in real processes: what they write, and how they fail."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from tests.cli.test_commands import run
from tests.review.served import Served
from tests.review.small_run import ANN_LEE, MONDAY, REUTERS, SENTENCES, write_run
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.files.formats import ReadOptions
from trustag.notes import unwatched
from trustag.review.decisions import DecisionLog
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.session import ReviewAction, ReviewSession
from trustag.text.sentences import REVIEWED


@pytest.fixture
def reviewed(tmp_path: Path) -> Path:
    """A run in which one issue with two identical cases is accepted, one rejected, one edited."""
    found = open_reviewed_run(write_run(tmp_path / "run"))
    session = ReviewSession(found, DecisionLog(found.decisions, found.fingerprint))
    session.decide(ReviewAction(REUTERS, 0, "accepted", "Ann", for_identical=True))
    session.decide(ReviewAction(MONDAY, 0, "rejected", "Ann", "a month of his"))
    session.decide(ReviewAction(ANN_LEE, 0, "edited", "Bob", spans=(*found.issues[0].suggested,)))
    session.close()
    return tmp_path


def test_the_corrected_corpus_is_written_marked_and_read_back(reviewed: Path) -> None:
    done = run("apply", "run", "-o", "corrected.conll", cwd=reviewed)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "corrected.conll: 5 decisions (3 suggestions accepted, 1 edited, 1 given labels confirmed), 4 labels changed",
        "list of changes: corrected.conll.changes.jsonl",
    ]
    corrected = read_corpus(str(reviewed / "corrected.conll"), CorpusOptions(), unwatched).train
    assert corrected[0].labels == ("O", "O", "O", "O", "B-ORG", "O")
    assert corrected[4].labels == ("O", "B-LOC", "O", "O", "O")
    assert corrected[4].token_sources is not None
    assert corrected[4].token_sources[1] == REVIEWED
    changes = [json.loads(line) for line in (reviewed / "corrected.conll.changes.jsonl").read_text().splitlines()]
    assert [(change["words"], change["before"], change["after"], change["verdict"]) for change in changes] == [
        (["Reuters"], ["B-PER"], ["B-ORG"], "accepted"),
        (["Ann", "Lee"], ["B-PER", "O"], ["O", "O"], "edited"),
        (["Reuters"], ["B-PER"], ["B-ORG"], "accepted"),
        (["Reuters"], ["B-PER"], ["B-ORG"], "accepted"),
        (["Monday"], ["B-LOC"], ["B-LOC"], "rejected"),
    ]
    assert changes[-1]["comment"] == "a month of his"


def test_a_format_without_room_for_marks_says_so(reviewed: Path) -> None:
    done = run("apply", "run", "-o", "corrected.json", "--format", "label-studio", cwd=reviewed)
    assert done.returncode == 0
    assert "sources of the labels: label-studio cannot store them" in done.stderr
    assert len(json.loads((reviewed / "corrected.json").read_text())) == 5


def test_sources_that_the_corpus_had_before_need_their_column_named(tmp_path: Path) -> None:
    corpus = [changed(sentence, token_sources=("dictionary",) * len(sentence)) for sentence in SENTENCES]
    found = open_reviewed_run(write_run(tmp_path / "run", corpus))
    session = ReviewSession(found, DecisionLog(found.decisions, found.fingerprint))
    session.decide(ReviewAction(MONDAY, 0, "rejected", "Ann"))
    session.close()
    done = run("apply", "run", "-o", "corrected.conll", cwd=tmp_path)
    assert "--columns ...,source" in done.stdout
    reading = CorpusOptions(options=ReadOptions(columns=("token", "label", "source")))
    last = read_corpus(str(tmp_path / "corrected.conll"), reading, unwatched).train[4]
    assert last.token_sources == ("dictionary", REVIEWED, *["dictionary"] * 3)


def test_nothing_is_overwritten_or_half_written(reviewed: Path) -> None:
    (reviewed / "corrected.conll").write_text("mine")
    done = run("apply", "run", "-o", "corrected.conll", cwd=reviewed)
    assert done.returncode == 2
    assert "corrected.conll: already exists" in done.stderr
    assert (reviewed / "corrected.conll").read_text() == "mine"
    assert not (reviewed / "corrected.conll.changes.jsonl").exists()
    assert run("apply", "run", "-o", "corrected.conll", "--overwrite", cwd=reviewed).returncode == 0


def test_answers_count_beside_the_decisions_of_the_page(reviewed: Path) -> None:
    answer = {"text": "She flew to New York .", "label": [[12, 20, "LOC"]], "trustag_sentence": 2}
    (reviewed / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    done = run("apply", "run", "-o", "-", "--to", "jsonl", "--answers", "answers.jsonl", "-q", cwd=reviewed)
    assert done.returncode == 0
    third = json.loads(done.stdout.splitlines()[2])
    assert third["ner_tags"] == ["O", "O", "O", "B-LOC", "I-LOC", "O"]
    assert third["token_sources"] == [REVIEWED] * 6


def test_without_a_decision_or_a_run_there_is_one_clear_line(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    done = run("apply", "run", "-o", "corrected.conll", cwd=tmp_path)
    assert done.returncode == 2
    expected = (
        "trustag: run: no decisions yet; review the run with trustag review, or give --answers FILE or --rules FILE\n"
    )
    assert done.stderr == expected
    assert not (tmp_path / "run" / "decisions.sqlite").exists()
    for command in (("review", ".", "--no-browser"), ("apply", ".", "-o", "x.conll")):
        missing = run(*command, cwd=tmp_path)
        assert missing.returncode == 2
        assert missing.stderr.startswith("trustag: .: is no run: it holds no manifest.json; ")


def test_while_a_review_is_open_nobody_else_writes_into_the_run(reviewed: Path) -> None:
    before = sorted(path.name for path in (reviewed / "run").iterdir())
    served = Served(reviewed / "run").start()
    assert served.process is not None
    commands = [
        ("apply", "run", "-o", "corrected.conll"),
        ("review", "run", "--no-browser"),
        ("review", "run", "--export", "decisions.jsonl"),
        ("train", "demo", "-o", "run", "--overwrite"),
    ]
    try:
        for command in commands:
            done = run(*command, cwd=reviewed)
            assert done.returncode == 2, command
            (line,) = done.stderr.splitlines()
            assert line.startswith(f"trustag: run: is in use by trustag review (process {served.process.pid} on ")
    finally:
        served.stop()
    assert [path.name for path in reviewed.iterdir()] == ["run"]
    assert sorted(path.name for path in (reviewed / "run").iterdir()) == before
    assert run("apply", "run", "-o", "corrected.conll", cwd=reviewed).returncode == 0


def test_answers_alone_leave_the_run_as_it_is(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    answer = {"text": "She flew to New York .", "label": [[12, 20, "LOC"]], "trustag_sentence": 2}
    (tmp_path / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    before = sorted((tmp_path / "run").iterdir())
    done = run("apply", "run", "-o", "corrected.conll", "--answers", "answers.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted((tmp_path / "run").iterdir()) == before
