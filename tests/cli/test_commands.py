"""The command line as a user meets it, in real processes: help, exit codes, streams, suggestions."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

CONLL = "Ann B-PER\nslept O\n\n"


def run(*args: str, stdin: str | bytes = b"", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "trustag", *args], input=data, capture_output=True, cwd=cwd, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_help_lists_the_commands_and_loads_nothing_heavy() -> None:
    assert "doctor" in run("--help").stdout
    probe = "import sys, trustag.cli; print([m for m in ('torch', 'numpy', 'msgspec', 'spacy') if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, text=True)
    assert loaded.stdout.strip() == "[]"


@pytest.mark.parametrize("command", ["doctor", "convert", "score", "perturb"])
def test_every_command_has_help(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert "Usage: trustag" in done.stdout


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (("convrt",), "did you mean 'convert'?"),
        (("zzz",), "known: doctor, convert"),
        (("convert", "a", "b", "--sceme", "IO"), "Did you mean '--scheme'?"),
        (("convert", "a", "b", "--to", "conl"), "'conl' is not one of"),
    ],
)
def test_misspelt_words_get_a_suggestion_and_exit_2(args: tuple[str, ...], hint: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert hint in done.stderr


def test_standard_streams(tmp_path: Path) -> None:
    done = run("convert", "-", "-", "--to", "jsonl", stdin=CONLL)
    assert done.returncode == 0
    assert json.loads(done.stdout)["tokens"] == ["Ann", "slept"]
    assert "1 sentences, 2 tokens, 1 entities" in done.stderr


def test_bad_input_is_one_line_and_exit_2(tmp_path: Path) -> None:
    (tmp_path / "bad.conll").write_text("Ann B-PER\nslept\n\n")
    done = run("convert", "bad.conll", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "trustag: bad.conll:2: 1 columns here, 2 at line 1; correct the row, or declare the columns with --columns\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["bad.conll"]


def test_a_reader_that_goes_away_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "long.conll").write_text(CONLL * 50_000)
    command = f"{sys.executable} -m trustag convert long.conll - --quiet | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=tmp_path, capture_output=True, check=False)
    assert done.stdout == b"Ann B-PER\n"
    assert (done.returncode, done.stderr) == (0, b"")


def test_notes_are_shown_in_part_and_written_in_full(tmp_path: Path) -> None:
    (tmp_path / "in.conll").write_text("Ann I-PER\nx O\nBob B-PER\n\n" * 12)
    args = ("convert", "in.conll", "out.conll", "--on-illegal", "repair", "--notes", "notes.jsonl")
    done = run(*args, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("I-PER -> B-PER") == 10
    assert "repaired: illegal in IOB2: 12 in all, 10 shown; all of them are in notes.jsonl" in done.stderr
    notes = [json.loads(line) for line in (tmp_path / "notes.jsonl").read_text().splitlines()]
    repairs = [note for note in notes if note["kind"] == "repaired"]
    assert [note["line"] for note in repairs] == list(range(1, 49, 4))
    assert repairs[0]["file"] == "in.conll"


def test_the_doctor_says_what_is_there_and_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "good.conll").write_text(CONLL)
    good = run("doctor", "good.conll", cwd=tmp_path)
    assert good.returncode == 0
    assert "Nothing is plainly wrong." in good.stdout
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
    assert "1 kind of trouble found." in words.stdout


def test_the_demo_corpus_is_healthy() -> None:
    done = run("doctor", "demo:dev", "demo:test")
    assert done.returncode == 0, done.stdout
