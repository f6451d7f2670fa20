"""The ways of the page on deployment that need a server or many texts, run as they are written there."""

import contextlib
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_commands import run
from tests.serving.served_model import ServedModel
from tests.serving.small_model import TEXTS, expected, same, write_model

PAGE = (Path(__file__).parents[1] / "docs" / "deploy.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def code(title: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", section(title), re.DOTALL)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_commands_of_the_server_answer(tmp_path: Path) -> None:
    model = write_model(tmp_path / "run")
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    commands = [line for block in code("Over HTTP", "sh") for line in block.splitlines() if line.startswith("curl ")]
    assert len(commands) == 2
    with ServedModel(model) as served:
        told = [
            subprocess.run(
                command.replace("localhost:8000", served.url.removeprefix("http://")),
                shell=True,
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for command in commands
        ]
    (entities,) = expected(model, "Ann Smith moved to New York.")
    assert same(json.loads(told[0])["entities"], entities)
    lines = (tmp_path / "entities.jsonl").read_text().splitlines()
    for line, entities in zip(lines, expected(model, *TEXTS), strict=True):
        assert same(json.loads(line)["entities"], entities)


@pytest.mark.slow
def test_the_ways_to_tag_many_texts_tag_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_model(tmp_path / "run")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code("Many texts", "python")[0].replace("open(", "open_text("), {"open_text": _open})  # the page's own
    assert len(said.getvalue().splitlines()) == len(TEXTS)
    (command,) = code("Many texts", "sh")
    words = command.split()[1:]
    source = words.index("texts.jsonl.gz")
    done = run(*words[:source], "texts.txt", *words[source + 1 :], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "entities.parquet").exists()


def _open(name: str, encoding: str) -> list[str]:
    return Path(name).read_text(encoding=encoding).splitlines(keepends=True)
