"""``trustag label`` as a user runs it."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import run

TEXT = """Dr. Ann Weber moved to New York in May for Zeta. She works for Acme Inc. there.

NEW YORK is large.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text(TEXT)
    (tmp_path / "names.tsv").write_text("LOC\tNew York\nORG\tAcme Inc.\nPER\tAnn Weber\nPER\tYork\nunknown\tZeta\n")
    return tmp_path


def test_text_becomes_a_corpus_that_names_its_sources(folder: Path) -> None:
    done = run("label", "text.txt", "--gazetteer", "names.tsv", "-o", "noisy.conll", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "3 sentences" in done.stdout
    assert "4 entities" in done.stdout
    lines = (folder / "noisy.conll").read_text().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("-DOCSTART-")]
    labels = {row[0]: row[2] for row in rows}
    assert [labels[word] for word in ["Ann", "Weber", "Acme", "Inc.", "Zeta", "She"]] == [
        "B-PER",
        "I-PER",
        "B-ORG",
        "I-ORG",
        "-",
        "O",
    ]
    assert {row[3] for row in rows} == {"none", "gazetteer:names"}
    again = run("convert", "noisy.conll", "-", "--to", "jsonl", cwd=folder)
    assert "token score label source (detected" in again.stderr
    first = json.loads(again.stdout.splitlines()[0])
    assert first["token_sources"][first["tokens"].index("New")] == "gazetteer:names"


def test_a_corpus_keeps_its_gold_and_standard_streams_work(folder: Path) -> None:
    done = run(
        "label",
        "-",
        "--gazetteer",
        "names.tsv",
        "-o",
        "-",
        "--to",
        "jsonl",
        stdin="York B-PER B-LOC\nis O O\n\n",
        cwd=folder,
    )
    record = json.loads(done.stdout)
    assert (record["ner_tags"], record["gold_tags"]) == (["B-PER", "O"], ["B-LOC", "O"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["text.txt", "-o", "x.conll"], "there is nothing to label by; name lists with --gazetteer"),
        (["text.txt", "--gazetteer", "text.txt", "-o", "x.conll"], "text.txt:1: no type is given"),
        (["text.txt", "--gazetteer", "names.tsv", "-o", "x.conll", "--language", "zzz"], "--sentences lines"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(folder: Path, arguments: list[str], message: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = run("label", *arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_why_each_name_has_its_label(folder: Path) -> None:
    done = run("label", "text.txt", "--rules", "en", "--gazetteer", "names.tsv", "--explain", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "rule:title" in done.stdout
    assert "follows 'Dr.'" in done.stdout
    assert [path.name for path in folder.iterdir() if path.name not in {"text.txt", "names.tsv"}] == []
    refused = run("label", "text.txt", "--rules", "en", cwd=folder)
    assert "say what to write with -o, or --explain" in refused.stderr
