"""``trustag doctor``: the contents of a corpus, its errors, and exit codes."""

import json
from pathlib import Path

from tests.cli.test_commands import CONLL, run


def test_the_doctor_says_what_is_there_and_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "good.conll").write_text(CONLL)
    good = run("doctor", "good.conll", cwd=tmp_path)
    assert good.returncode == 0
    assert "No errors found." in good.stdout
    (tmp_path / "bad.conll").write_text(CONLL + "x O\nBob I-PER\n\n")
    bad = run("doctor", "bad.conll", "--json", cwd=tmp_path)
    assert bad.returncode == 1
    report = json.loads(bad.stdout)
    assert report["healthy"] is False
    assert report["splits"][0]["labels"] == {"O": 2, "B-PER": 1, "I-PER": 1}
    ((place, detail),) = report["findings"][0]["places"]
    assert (place["file"], place["line"], detail) == ("bad.conll", 5, "I-PER at 'Bob', read as B-PER")
    words = run("doctor", "bad.conll", cwd=tmp_path)
    assert "bad.conll:5: I-PER at 'Bob', read as B-PER" in words.stdout
    assert "1 kind of errors found." in words.stdout


def test_the_demo_corpus_is_healthy() -> None:
    done = run("doctor", "demo:dev", "demo:test")
    assert done.returncode == 0, done.stdout
