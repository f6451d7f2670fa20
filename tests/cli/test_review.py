"""``trustag review`` on the command line: what it exports, rules for other corpora, and mistakes."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import run
from tests.review.small_run import REUTERS, REUTERS_AGAIN, REUTERS_LAST, open_session, write_run
from tests.review.test_form_decisions import FORM, decide_form
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.notes import unwatched
from trustag.review.session import ReviewAction


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """A folder with a run in which all of "Reuters" is an organisation."""
    session = open_session(write_run(tmp_path / "run"))
    decide_form(session, FORM, "edited", "ORG")
    session.close()
    return tmp_path


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


def test_decisions_are_exported(decided: Path) -> None:
    done = run("review", "run", "--export", "decisions.jsonl", cwd=decided)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    lines = [json.loads(line) for line in (decided / "decisions.jsonl").read_text().splitlines()]
    assert [line["reviewer"] for line in lines] == ["Ann"] * 4
    assert [line["issue"] for line in lines if not line["issue"].startswith("form ")] == [
        REUTERS,
        REUTERS_AGAIN,
        REUTERS_LAST,
    ]
    assert all(line["in_force"] for line in lines)


def test_strangers_need_a_password(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    refused = run("review", "run", "--no-browser", "--host", "0.0.0.0", cwd=tmp_path)
    assert refused.returncode == 2
    assert "set a password" in refused.stderr


def test_a_sound_log_is_recovered_whole(decided: Path) -> None:
    done = run("review", "run", "--recover", cwd=decided)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("run/decisions.sqlite: 4 decisions saved; none lost\nthe damaged file: ")
