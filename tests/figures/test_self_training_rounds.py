"""Self-training by round: what the run wrote, and the labels of each round against gold as seqeval scores them."""

import json
from pathlib import Path
from typing import Any

import pytest
from seqeval.metrics import f1_score

from tests.figures.written import Token, WrittenRun, labelled, opened, read_lines
from tests.training.small import small_corpus
from trustag.errors import InputError
from trustag.figures.self_training_rounds import self_training
from trustag.runs.reading import NothingToDrawError

ROUND = {"round": 1, "fold_dev_f1": [None, None], "final_dev_f1": None, "changed": 1}


@pytest.mark.slow
def test_rounds_are_what_the_run_wrote(real_run: Path) -> None:
    found = self_training(opened(real_run))
    manifest = json.loads((real_run / "manifest.json").read_text())
    assert found.baseline_dev_f1 == manifest["baseline"]["dev"]["f1"]
    assert found.labels == manifest["labels"]["labels"]
    assert found.lacking == ()
    for facts, line in zip(found.rounds, read_lines(real_run / "rounds.jsonl"), strict=True):
        assert list(facts.fold_dev_f1) == line["fold_dev_f1"]
        assert (facts.round, facts.final_dev_f1, facts.changed) == (
            line["round"],
            line["final_dev_f1"],
            line["changed"],
        )


@pytest.mark.slow
def test_labels_of_every_round_are_scored_against_gold(real_run: Path) -> None:
    found = self_training(opened(real_run))
    sentences = small_corpus().train
    gold = [list(sentence.gold or ()) for sentence in sentences]
    assert found.given_label_f1 == pytest.approx(f1_score(gold, [list(sentence.labels) for sentence in sentences]))
    changes = read_lines(real_run / "changes.jsonl")
    assert {change["round"] for change in changes} == {1, 2}
    for facts in found.rounds:
        rows = [list(sentence.labels) for sentence in sentences]
        for change in changes:
            if change["round"] == facts.round:
                rows[change["sentence"]][change["token"]] = change["after"]
        assert facts.label_f1 == pytest.approx(f1_score(gold, rows))


def test_without_dev_and_gold_changes_remain(tmp_path: Path) -> None:
    run = WrittenRun(rounds=[ROUND], sentences=[[Token("Ann", "O", "S-PER")]]).open(tmp_path / "run")
    found = self_training(run)
    assert [entry.changed for entry in found.rounds] == [1]
    assert found.rounds[0].fold_dev_f1 == ()
    assert found.baseline_dev_f1 is found.given_label_f1 is found.rounds[0].label_f1 is None
    assert found.lacking == ("dev F1: the run had no dev split", "labels against gold: no gold column")


def test_a_baseline_that_was_not_trained_is_named(tmp_path: Path) -> None:
    run = WrittenRun(rounds=[{**ROUND, "final_dev_f1": 0.5}], sentences=labelled(0.5)).open(tmp_path / "run")
    assert self_training(run).lacking == ("dev F1 of the baseline: no baseline was trained (rounds.baseline)",)


def test_no_rounds_are_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(NothingToDrawError, match="no finished rounds of self-training"):
        self_training(WrittenRun().open(tmp_path / "run"))


@pytest.mark.parametrize(
    "change",
    [
        {"sentence": 0, "token": 0, "before": "O", "after": "S-LOC"},
        {"sentence": 0, "token": 1, "before": "O", "after": "S-PER"},
        {"sentence": -1, "token": 0, "before": "O", "after": "S-PER"},
        {"sentence": 100, "token": 0, "before": "O", "after": "S-PER"},
    ],
)
def test_changes_of_another_run_are_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    run = WrittenRun(rounds=[ROUND], changes=[{"round": 1, **change}], sentences=labelled(0.5)).open(tmp_path / "run")
    of_another = r"changes.jsonl: a change of sentence .* does not match the relabelled corpus"
    with pytest.raises(
        InputError, match=r"changes.jsonl:1: Expected `int` >= 0" if change["sentence"] < 0 else of_another
    ):
        self_training(run)
