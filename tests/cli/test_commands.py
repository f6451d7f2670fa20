"""The command line as a user meets it, in real processes: help, exit codes, streams, suggestions."""

import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from trustag import __version__

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


def test_the_version_names_what_results_depend_on_without_loading_it() -> None:
    done = run("--version")
    versions = f"(Python {platform.python_version()}, torch {importlib.metadata.version('torch')})"
    assert done.stdout == f"trustag {__version__} {versions}\n"
    probe = (
        "import sys, trustag.cli\ntry: trustag.cli.main(['--version'])\n"
        "except SystemExit: print([m for m in ('torch', 'numpy') if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, text=True)
    assert loaded.stdout.splitlines()[-1] == "[]"


def completed(shell: str, words: str, count: int) -> list[str]:
    environment = {"_TRUSTAG_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(count)}
    done = subprocess.run(
        [sys.executable, "-m", "trustag"], env=os.environ | environment, capture_output=True, check=True, text=True
    )
    return done.stdout.split("\n")


def test_the_shell_completes_commands_and_options() -> None:
    assert "plain,predict" in completed("bash", "trustag pre", 1)
    assert completed("bash", "trustag predict run --mi", 3)[0] == "plain,--min-score"
    assert set(completed("bash", "trustag convert --to c", 3)) >= {"plain,conll", "plain,csv"}
    for shell in ("bash", "zsh", "fish"):
        environment = os.environ | {"_TRUSTAG_COMPLETE": f"{shell}_source"}
        done = subprocess.run(
            [sys.executable, "-m", "trustag"], env=environment, capture_output=True, check=True, text=True
        )
        assert "_TRUSTAG_COMPLETE" in done.stdout
