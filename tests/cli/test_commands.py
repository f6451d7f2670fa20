"""The command line as a user meets it, in real processes: help, exit codes, streams, suggestions."""

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
