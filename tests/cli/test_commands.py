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


def test_a_module_to_import_that_is_not_there_is_one_line() -> None:
    done = run("--import", "absent_module", "recipes")
    assert done.returncode == 2
    assert done.stderr == (
        "trustag: --import absent_module: No module named 'absent_module'; check the name and the path\n"
    )


def test_a_module_is_imported_before_the_command(tmp_path: Path) -> None:
    (tmp_path / "my_parts.py").write_text("print('imported')\n", encoding="utf-8")
    done = run("--import", "my_parts", "recipes", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("imported\n")
