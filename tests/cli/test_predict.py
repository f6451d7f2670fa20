"""``trustag predict``: texts in order, exact offsets, and the Python interface."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import trustag
from tests.cli.small import BASELINE
from tests.cli.test_commands import run

pytestmark = pytest.mark.slow  # trains models


def test_texts_in_order_with_exact_offsets(tagged: Path) -> None:
    texts = ["Ann met Bob in Paris.", "", "   ", "NASA  said:\tno \u200b comment 😀 Washington", "x"]
    done = run("predict", "run", "-", stdin="\n".join(texts) + "\n", cwd=tagged)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["text"] for record in records] == texts
    for record in records:
        assert len(record["tokens"]) == len(record["ner_tags"])
        starts = sum(tag.startswith("B-") for tag in record["ner_tags"])
        assert len(record["entities"]) == starts
        for entity in record["entities"]:
            assert record["text"][entity["start"] : entity["end"]] == entity["text"]
            assert 0 < entity["score"] <= 1


def test_tokens_stay_as_they_are_and_marginals_sum_to_one(tagged: Path) -> None:
    done = run("predict", "run", "-", "--from", "tokens", "--marginals", stdin="U.S. v. O'Brien\n", cwd=tagged)
    record = json.loads(done.stdout)
    assert record["tokens"] == ["U.S.", "v.", "O'Brien"]
    for token in record["marginals"]:
        assert sum(token.values()) == pytest.approx(1, abs=1e-5)


def test_the_python_interface_says_the_same(tagged: Path) -> None:
    predictor = trustag.load(tagged / "run")
    text = "Ann met Bob in Paris."
    (entities,) = predictor.predict(text)
    record = json.loads(run("predict", "run", "-", stdin=text + "\n", cwd=tagged).stdout)
    assert [entity.text for entity in entities] == [entity["text"] for entity in record["entities"]]
    tokens = [record["tokens"], []]
    assert predictor.predict_tokens(tokens) == [tuple(record["ner_tags"]), ()]
    first, second = predictor.predict_marginals(tokens)
    assert first.shape == (len(record["tokens"]), len(predictor.labels))
    assert second.shape == (0, len(predictor.labels))


def on_terminal(*args: str, cwd: Path) -> str:
    """Return what a command prints on a terminal, without colours."""
    reader, terminal = pty.openpty()
    command = [sys.executable, "-m", "trustag", *args]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=subprocess.DEVNULL, cwd=cwd) as process:
        os.close(terminal)
        parts = []
        while part := _available(reader):
            parts.append(part)
    os.close(reader)
    assert process.returncode == 0
    return re.sub(r"\x1b\[[0-9;]*m", "", b"".join(parts).decode()).replace("\r\n", "\n")


def _available(reader: int) -> bytes:
    try:
        return os.read(reader, 1 << 16)
    except OSError:  # the other side is closed
        return b""


def test_records_with_tokens_and_no_labels_are_tagged_and_not_their_source(tagged: Path, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"tokens": ["Ann", "met", "Bob"]}\n')
    done = run("predict", str(tagged / "run"), str(tmp_path / "in.jsonl"))
    assert json.loads(done.stdout)["tokens"] == ["Ann", "met", "Bob"]
    assert "read as jsonl" in done.stderr


def test_a_file_that_looks_like_json_and_is_not_is_refused(tagged: Path, tmp_path: Path) -> None:
    (tmp_path / "in").write_text('{"tokens": ["Ann", "met"\n')
    done = run("predict", str(tagged / "run"), str(tmp_path / "in"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "--from text" in done.stderr


def test_a_text_in_quotes_is_tagged_itself(tagged: Path) -> None:
    text = "Ann met Bob in Paris."
    given = run("predict", "run", text, cwd=tagged)
    assert given.returncode == 0, given.stderr
    assert given.stdout == run("predict", "run", "-", stdin=text, cwd=tagged).stdout


def test_a_terminal_shows_marked_texts_and_blank_lines_and_a_pipe_gets_json(tagged: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("Ann met Bob in Paris.\n\nRome is big.\n")
    arguments = ("predict", "run", str(tmp_path / "in.txt"))
    records = [json.loads(line) for line in run(*arguments, cwd=tagged).stdout.splitlines()]
    shown = []
    for record in records:
        text, position = "", 0
        for entity in record["entities"]:
            text += record["text"][position : entity["start"]]
            text += f"[{entity['text']} {entity['label']} {entity['score']:.2f}]"
            position = entity["end"]
        shown.append(text + record["text"][position:])
    assert shown[1] == ""
    assert any("[" in line for line in shown)
    assert on_terminal(*arguments, cwd=tagged).splitlines() == shown
    assert run(*arguments, "--to", "marked", cwd=tagged).stdout.splitlines() == shown
    assert [json.loads(line) for line in on_terminal(*arguments, "--json", cwd=tagged).splitlines()] == records


def test_entities_below_the_least_score_are_left_out_and_counted(tagged: Path) -> None:
    text = "Ann met Bob in Paris, Rome and Oslo."
    every = json.loads(run("predict", "run", text, cwd=tagged).stdout)["entities"]
    scores = sorted(entity["score"] for entity in every)
    least = (scores[0] + scores[-1]) / 2
    done = run("predict", "run", text, "--min-score", str(least), cwd=tagged)
    record = json.loads(done.stdout)
    assert record["entities"] == [entity for entity in every if entity["score"] >= least]
    assert sum(tag.startswith("B-") for tag in record["ner_tags"]) == len(record["entities"])
    assert f"{len(every) - len(record['entities'])} entities below" in done.stderr


def test_texts_split_otherwise_than_the_training_texts_are_reported(tmp_path: Path) -> None:
    sentence = "王小明 B-PER\n住在 O\n北京 B-LOC\n。 O\n\n"
    (tmp_path / "words.conll").write_text(sentence * 4)
    (tmp_path / "characters.conll").write_text("王 B-PER\n小 I-PER\n明 I-PER\n住 O\n在 O\n北 B-LOC\n京 I-LOC\n\n" * 4)
    for name, expected in (("words", True), ("characters", False)):
        done = run("train", f"{name}.conll", "-o", name, *BASELINE, "--set", "training.epochs=1", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        reported = run("predict", name, "王小明住在北京。", cwd=tmp_path).stderr
        assert ("the model was trained on words" in reported) is expected
    spaced = run("predict", "words", "王小明 住在 北京 。", "--tokenizer", "whitespace", cwd=tmp_path)
    assert json.loads(spaced.stdout)["tokens"] == ["王小明", "住在", "北京", "。"]
    assert spaced.stderr == ""


@pytest.mark.parametrize("option", ["--json", "--marginals"])
def test_options_that_mean_json_lines_exclude_other_formats(option: str, tmp_path: Path) -> None:
    done = run("predict", "run", "Ann met Bob.", option, "--to", "conll", cwd=tmp_path)
    assert done.returncode == 2
    assert f"{option} means --to jsonl, not --to conll" in done.stderr
