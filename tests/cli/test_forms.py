"""Forms on the command line: the table of ``trustag issues``, exported rules, and rules applied to corpora."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.test_commands import run
from tests.review.small_run import ISSUES, REUTERS, SENTENCES, issue, open_session, write_run
from tests.review.test_form_decisions import FORM, decide_form
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.notes import unwatched
from trustag.review.session import ReviewAction
from trustag.text.sentences import Sentence
from trustag.text.spans import Span


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """A folder with a run in which all of "Reuters" is an organisation."""
    session = open_session(write_run(tmp_path / "run"))
    decide_form(session, FORM, "edited", "ORG")
    session.close()
    return tmp_path


def test_the_worst_forms_are_listed_first(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    done = run("issues", "run", "--by", "form", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [" ".join(line.split()) for line in lines[:5]] == [
        "wrong of form given models see",
        "2.4 3 Reuters PER ORG 3",
        "0.8 1 New York O LOC 1",
        "0.7 1 Ann PER other boundaries 1",
        "0.6 1 Monday LOC O 1",
    ]
    assert "About 4 of 6 places with these 4 forms look wrong." in lines
    by_kind = run("issues", "run", "--by", "form", "--kind", "missed", "--top", "1", cwd=tmp_path).stdout
    assert by_kind.splitlines()[1].split()[2:5] == ["New", "York", "O"]
    unsure = run("issues", "run", "--by", "form", "--order", "unsure", cwd=tmp_path).stdout
    assert unsure.splitlines()[1].split()[2] == "Reuters"


def test_forms_are_written_as_records_and_as_a_table(tmp_path: Path) -> None:
    corpus = [*SENTENCES, Sentence(("=1+1",), ("B-PER",))]
    write_run(tmp_path / "run", corpus, [*ISSUES, issue(5, 0, 1, 0.5, Span(0, 1, "ORG"), corpus=corpus)])
    assert run("issues", "run", "--by", "form", "-o", "forms.jsonl", cwd=tmp_path).returncode == 0
    records = [json.loads(line) for line in (tmp_path / "forms.jsonl").read_text().splitlines()]
    assert records[0]["places"] == [REUTERS, "1-0-1", "3-0-1"]
    assert records[0]["seen"] == {"ORG": 3}
    assert run("issues", "run", "--by", "form", "-o", "forms.csv", cwd=tmp_path).returncode == 0
    with (tmp_path / "forms.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["form"] for row in rows] == ["Reuters", "New York", "Ann", "Monday", "'=1+1"]
    assert rows[0]["wrong"] == "2.4"
    refused = run("issues", "run", "--by", "form", "-o", "tasks.json", "--to", "doccano", cwd=tmp_path)
    assert (refused.returncode, "use --to jsonl or csv" in refused.stderr) == (2, True)
    assert not (tmp_path / "tasks.json").exists()


def test_nothing_doubted_is_said_in_a_line(tmp_path: Path) -> None:
    write_run(tmp_path / "run", issues=[])
    assert run("issues", "run", "--by", "form", cwd=tmp_path).stdout == "No form looks wrong.\n"


def test_rules_go_from_one_corpus_to_another(decided: Path) -> None:
    done = run("review", "run", "--export-rules", "rules.toml", cwd=decided)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    (decided / "other.conll").write_text("Reuters B-PER\nin O\nBonn B-LOC\n\n")
    done = run("apply", "other.conll", "--rules", "rules.toml", "-o", "new.conll", cwd=decided)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "new.conll: 1 decisions (1 edited), 1 labels changed"
    (sentence,) = read_corpus(str(decided / "new.conll"), CorpusOptions(), unwatched).train
    assert sentence.labels == ("B-ORG", "O", "B-LOC")
    assert sentence.token_sources == ("reviewed", "given", "given")


def test_decisions_on_places_come_after_rules(decided: Path) -> None:
    run("review", "run", "--export-rules", "rules.toml", cwd=decided)
    session = open_session(write_run(decided / "again"))
    session.decide(ReviewAction(REUTERS, 0, "rejected", "Bob"))
    session.close()
    done = run("apply", "again", "--rules", "rules.toml", "-o", "new.conll", cwd=decided)
    assert done.returncode == 0
    corrected = read_corpus(str(decided / "new.conll"), CorpusOptions(), unwatched).train
    assert [corrected[number].labels[place] for number, place in ((0, 4), (1, 0), (3, 0))] == [
        "B-PER",
        "B-ORG",
        "B-ORG",
    ]
    assert "two decisions on the same words" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("review", "run", "--export-rules", "new.toml"), "no decisions on forms yet"),
        (("review", "run", "--by", "form", "--order", "unsure", "--export", "x"), "--order is for places"),
        (("apply", "other.conll", "--rules", "none.toml", "-o", "new.conll"), "none.toml"),
        (
            ("apply", "other.conll", "--rules", "rules.toml", "-o", "new.conll"),
            "no rule of rules.toml decides anything",
        ),
        (("apply", "other.conll", "--rules", "rules.toml", "--answers", "a", "-o", "new.conll"), "omit --answers"),
        (("apply", "run", "--columns", "token,label", "-o", "new.conll"), "omit the options on reading"),
    ],
)
def test_mistakes_are_named_and_nothing_is_written(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    write_run(tmp_path / "run")
    (tmp_path / "other.conll").write_text("Bonn B-LOC\n\n")
    (tmp_path / "rules.toml").write_text("[[rule]]\nform='Rome'\ntype='LOC'\nverdict='right'\n")
    before = sorted(tmp_path.iterdir())
    done = run(*arguments, cwd=tmp_path)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_exports_are_written_together_or_not_at_all(decided: Path) -> None:
    (decided / "rules.toml").write_text("mine")
    done = run("review", "run", "--export", "log.jsonl", "--export-rules", "rules.toml", cwd=decided)
    assert (done.returncode, "already exists" in done.stderr) == (2, True)
    assert not (decided / "log.jsonl").exists()
    done = run("review", "run", "--export", "log.jsonl", "--export-rules", "rules.toml", "--overwrite", cwd=decided)
    assert done.returncode == 0
    assert len((decided / "log.jsonl").read_text().splitlines()) == 4
    assert 'verdict = "wrong"' in (decided / "rules.toml").read_text()
