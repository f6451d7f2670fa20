"""Without a dev corpus nothing clean has any influence: not a gold column, not the test corpus."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from tests.training.run_files import contents
from tests.training.small import noisy_corpus, run_rounds, small_corpus
from trustag.pipeline import TrainResult
from trustag.text.sentences import Corpus

TRAIN = noisy_corpus().train


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> TrainResult:
    """A run on noisy labels and nothing else."""
    corpus = Corpus(tuple(changed(sentence, gold=None) for sentence in TRAIN))
    return run_rounds(tmp_path_factory.mktemp("alone") / "run", corpus=corpus)


def test_the_last_epoch_of_the_last_round_is_kept_and_rates_are_estimated(alone: TrainResult) -> None:
    run = alone.run
    metrics = [json.loads(line) for line in run.metrics.read_text().splitlines()]
    assert alone.best_epoch == len(metrics) - 1
    assert [epoch["f1"] for epoch in metrics] == [None] * len(metrics)
    rounds = [json.loads(line) for line in run.rounds.read_text().splitlines()]
    assert [entry["final_dev_f1"] for entry in rounds] == [None, None]
    assert json.loads(run.manifest.read_text())["labels"]["round"] == 2
    assert json.loads(run.rates.read_text())["source"] == "auto"
    assert [file.read_bytes() for file in sorted(run.best.iterdir())] == [
        file.read_bytes() for file in sorted(run.last.iterdir())
    ]


def test_gold_and_test_change_nothing(alone: TrainResult, tmp_path: Path) -> None:
    assessed = run_rounds(tmp_path / "run", corpus=Corpus(TRAIN, (), small_corpus().test))
    assert assessed.scores.test is not None
    assert assessed.analysis is not None
    assert assessed.analysis.detection is not None
    expected, found = contents(alone.run.path), contents(assessed.run.path)
    for names_gold in ("given.jsonl", "relabelled.conll"):  # the gold column is written down beside the labels
        assert found.pop(names_gold) != expected.pop(names_gold)
    assert found == expected
    assert alone.analysis is not None
    assert [s.labels for s in assessed.analysis.relabelled] == [s.labels for s in alone.analysis.relabelled]
