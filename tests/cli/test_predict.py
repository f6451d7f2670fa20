"""``trustag predict``: texts in order, exact offsets, and the Python interface."""

import json
from pathlib import Path

import pytest

import trustag
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
