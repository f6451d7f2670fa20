"""How the suite finds a browser, installs one, and reports that there is none."""

import io
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.browsers import NAMES, REASON, find_browser, install_browser, report_missing_browser


def write_command(path: Path, script: str = "") -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is searched for commands, on a system of one's own."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TRUSTAG_CHROMIUM", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_a_browser_of_the_system_is_found(commands: Path, name: str) -> None:
    path = write_command(commands / name)
    assert find_browser() == str(path)


def test_a_named_browser_comes_first(commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_command(commands / "chromium")
    monkeypatch.setenv("TRUSTAG_CHROMIUM", "/opt/mine")
    assert find_browser() == "/opt/mine"


def test_root_installs_chromium_with_apt_get(commands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_command(commands / "apt-get", f'echo "$@" >> {commands}/calls')
    install_browser()
    update, install = (commands / "calls").read_text().splitlines()
    assert update.endswith(" update")
    assert install.endswith(" install --yes --no-install-recommends chromium")
    assert capsys.readouterr().out == "Installing chromium for the browser tests\n"


def test_nothing_is_installed_without_root_or_apt_get(
    commands: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install_browser()
    write_command(commands / "apt-get", f"touch {commands}/called")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    install_browser()
    assert not (commands / "called").exists()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("count", "words"), [(1, "1 browser test was NOT RUN"), (8, "8 browser tests were NOT RUN")])
def test_tests_that_lack_a_browser_are_counted_in_one_line(count: int, words: str) -> None:
    lacking = [SimpleNamespace(longrepr=("file.py", 1, f"Skipped: {REASON}")) for _ in range(count)]
    other = SimpleNamespace(longrepr=("file.py", 1, "Skipped: needs a network"))
    out = io.StringIO()
    stats: dict[str, list[Any]] = {"skipped": [*lacking, other]}
    reporter = SimpleNamespace(stats=stats, write_line=lambda line, **_: out.write(f"{line}\n"))
    report_missing_browser(cast("pytest.TerminalReporter", reporter))
    assert stats == {"skipped": [other], "deselected": lacking}
    (line,) = out.getvalue().splitlines()
    assert line.startswith(words)
    assert "apt-get install chromium" in line
    report_missing_browser(cast("pytest.TerminalReporter", reporter))
    assert out.getvalue().count("\n") == 1
