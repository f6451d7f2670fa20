"""Out-of-fold predictions of the given labels: who sees what, and the rates that follow."""

from pathlib import Path

import torch

from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.crossfit.heldout import contradicted, estimated_rates, heldout_stage, predict_heldout
from trustag.crossfit.settings import FoldSettings
from trustag.engines.in_process import InProcess
from trustag.noise_rates.estimation import estimate_noise_rates
from trustag.notes import unwatched
from trustag.training.jobs import JobRunner
from trustag.training.stages import Plan

SETTINGS = FoldSettings(count=3, epochs=2)


def test_every_label_is_predicted_by_a_model_that_did_not_see_it(tmp_path: Path) -> None:
    task = small_task(small_recipe(), noisy_corpus(18))
    stage = heldout_stage(task, SETTINGS, "folds", "Folds")
    assert (stage.trainings, stage.epochs, stage.passes) == (3, 2, 4.0)
    runner = JobRunner(tmp_path, InProcess(), unwatched, lambda _: None, Plan([stage]))
    found = predict_heldout(task, runner, SETTINGS, "folds")
    assert sorted(number for part in found.folds.parts for number in part) == list(range(18))
    assert sorted(path.name for path in (tmp_path / "folds").iterdir()) == ["fold-1", "fold-2", "fold-3"]
    for part, result in zip(found.folds.parts, found.results, strict=True):
        assert list(result.outputs.lengths) == [task.corpus.lengths[number] for number in part]
        assert len(result.history) == 2
    tables = [table.numpy() for table in torch.split(found.probabilities(None), task.corpus.lengths)]
    expected = estimate_noise_rates([row.numpy() for row in task.corpus.rows], tables, task.corpus.labels)
    assert contradicted(found) == expected
    rates = estimated_rates(found)
    assert (rates.rates.negative, rates.negative_interval) == (
        expected.negative.estimate,
        (expected.negative.low, expected.negative.high),
    )
