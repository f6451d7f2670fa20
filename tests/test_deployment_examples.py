"""The examples of deployment name options, signals and extras that exist."""

import configparser
import re
import shlex
import tomllib
from pathlib import Path

from click.testing import CliRunner

from trustag.cli.serve import serve

EXAMPLES = Path(__file__).parents[1] / "examples"
ROOT = EXAMPLES.parent


def options() -> set[str]:
    return {option for parameter in serve.params for option in parameter.opts}


def test_the_unit_runs_the_command_with_its_options_and_signals() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign] # names keep their capitals
    unit.read(EXAMPLES / "trustag.service")
    command = shlex.split(unit["Service"]["ExecStart"])
    assert command[1] == "serve"
    assert {word for word in command if word.startswith("--")} <= options()
    assert "-HUP $MAINPID" in unit["Service"]["ExecReload"]
    assert unit["Service"]["KillMode"] == "mixed"
    assert unit["Service"]["DynamicUser"] == "yes"


def test_the_image_is_not_run_by_root_and_copies_what_there_is() -> None:
    text = (EXAMPLES / "Dockerfile").read_text(encoding="utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    found = re.search(r"'\.\[(.*?)\]'", text)
    assert found is not None
    assert set(found[1].split(",")) <= extras.keys()
    for line in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE):
        for name in line.split():
            assert (ROOT / name).exists(), name
    user = re.search(r"^USER (\w+)$", text, re.MULTILINE)
    assert user is not None
    assert user[1] != "root"
    entry = re.search(r"^ENTRYPOINT \[(.*)\]$", text, re.MULTILINE)
    assert entry is not None
    words = re.findall(r'"(.*?)"', entry[1])
    assert {word for word in words if word.startswith("--")} <= options()


def test_the_options_are_those_of_the_help() -> None:
    text = CliRunner().invoke(serve, ["--help"]).output
    assert all(option in text for option in ("--token-file", "--workers", "--host"))
