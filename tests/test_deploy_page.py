"""Every piece of Python and of shell on the page on deployment runs as it stands there, but for servers and hubs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_export import saved

PAGE = (Path(__file__).parents[1] / "docs" / "deploy.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
PYTHON = ["Without torch", "In spaCy", "Instead of a pipeline of transformers", "In a notebook"]
SPACY = "from trustag.integrations import spacy_component\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deploy")
    saved(folder / "run")
    return folder


def blocks(section: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", SECTIONS[section], re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("section", PYTHON)
def test_the_python_of_the_page_runs(section: str, place: Path) -> None:
    for command in blocks(section, "sh"):
        for line in command.splitlines():
            if line.startswith("trustag "):
                shell = f"{sys.executable} -m {line}"
                subprocess.run(shell, shell=True, cwd=place, capture_output=True, check=True)
    for code in blocks(section, "python"):
        # An installed package brings its entry points along; a checkout has none.
        begin = SPACY if section == "In spaCy" else ""
        done = subprocess.run(
            [sys.executable, "-c", begin + code], cwd=place, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    shutil.rmtree(place / "exported", ignore_errors=True)


def test_the_page_shows_more_than_five_ways() -> None:
    assert len(SECTIONS) >= 5
    assert set(PYTHON) <= set(SECTIONS)
