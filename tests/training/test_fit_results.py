"""What a finished training leaves in its folder, and what several models of the same sentences say together."""

from pathlib import Path

import pytest
import torch
from torch.testing import assert_close

from tests.crf.enumeration import AllPaths, Batch, all_paths
from tests.training.run_files import everything
from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.crf import Chain
from trustag.crf.outputs import CRFOutputs, mean_outputs
from trustag.crossfit.tracking import TrackedLabels, Tracking
from trustag.models.saving import load_model
from trustag.runs.folder import RunFolder
from trustag.runs.records import EpochReport
from trustag.training.fit_results import FitResult, Job, copy_result, fit_and_predict, read_result
from trustag.training.fitting import Report
from trustag.training.loop import StepReport
from trustag.training.objectives import GivenLabels

TASK = small_task(small_recipe(), noisy_corpus(10))


def random_outputs(seed: int) -> CRFOutputs:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator)

    return CRFOutputs([2, 3], draw(5, 3), Chain(draw(3, 3), draw(3), draw(3)))


def paths_of(outputs: CRFOutputs, sentence: int) -> AllPaths:
    rows = torch.split(outputs.emissions, list(outputs.lengths))[sentence][None]
    mask = torch.ones(rows.shape[:2], dtype=torch.bool)
    return all_paths(Batch(rows, outputs.chain, mask, torch.ones_like(rows, dtype=torch.bool)), 0)


def test_an_ensemble_gives_a_label_sequence_the_geometric_mean_of_its_probabilities() -> None:
    members = [random_outputs(seed) for seed in (1, 2, 3)]
    joint = mean_outputs(members)
    marginals = torch.split(joint.marginals(), list(joint.lengths))
    for sentence in range(2):
        logs = torch.stack([paths_of(outputs, sentence).probabilities().log() for outputs in members]).mean(0)
        labels = paths_of(joint, sentence).labels
        expected = AllPaths(labels, logs).token_marginals(3)
        assert_close(marginals[sentence].double(), expected, atol=1e-5, rtol=1e-5)


def test_what_is_said_of_some_sentences_is_what_is_said_of_them_among_others() -> None:
    outputs = random_outputs(1)
    rows = torch.split(outputs.marginals(), [2, 3])
    assert_close(outputs.of([1]).marginals(), rows[1])
    assert_close(outputs.of([1, 0]).marginals(), torch.cat([rows[1], rows[0]]))
    assert outputs.of([]).marginals().shape == (0, 3)


def test_the_kept_epoch_is_the_last_best_one_and_has_the_f1_of_dev() -> None:
    history = (
        EpochReport(0, 3.0, f1=0.2, is_best=True),
        EpochReport(1, 2.0, f1=0.6, is_best=True),
        EpochReport(2, 1.0, f1=0.5, epochs_since_best=1),
    )
    result = FitResult(Path("model-best"), history, random_outputs(1), {})
    assert result.kept_epoch == history[1]
    assert result.dev_f1 == 0.6
    assert FitResult(Path("model-best"), (EpochReport(0, 3.0, is_best=True),), random_outputs(1), {}).dev_f1 is None


@pytest.mark.parametrize("keeps_model", [True, False])
def test_a_training_leaves_its_outputs_its_record_and_its_model_if_that_is_kept(
    keeps_model: bool, tmp_path: Path
) -> None:
    tokens = [sentence.tokens for sentence in TASK.dev[:4]]
    job = Job(TASK.fit(TrackedLabels(Tracking())), tokens, keeps_model=keeps_model)
    reports: list[Report] = []
    assert fit_and_predict(job, tmp_path / "job", reports.append) == []
    result = read_result(tmp_path / "job", tokens)
    assert list(result.history) == [report for report in reports if isinstance(report, EpochReport)]
    assert result.outputs.lengths == [len(sentence) for sentence in tokens]
    assert result.record["scores"].shape == (3, len(TASK.corpus.label_ids))
    run = RunFolder(tmp_path / "job")
    assert (run.best.exists(), run.last.exists(), run.checkpoints.exists()) == (keeps_model, keeps_model, False)
    if keeps_model:
        expected = load_model(result.model).corpus_outputs(tokens)
        assert_close(result.outputs.emissions, expected.emissions)


def test_what_is_finished_is_not_trained_again_and_what_is_begun_ends_the_same(tmp_path: Path) -> None:
    job = Job(TASK.fit(GivenLabels()), TASK.corpus.tokens, keeps_model=True)
    fit_and_predict(job, tmp_path / "whole")

    def stop(report: Report) -> None:
        if isinstance(report, StepReport) and report.epoch == 1:
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        fit_and_predict(job, tmp_path / "broken", stop)
    fit_and_predict(job, tmp_path / "broken")
    assert everything(tmp_path / "broken") == everything(tmp_path / "whole")
    reports: list[Report] = []
    fit_and_predict(job, tmp_path / "whole", reports.append)
    assert reports == []


def test_a_copied_result_reads_the_same_and_replaces_no_other(tmp_path: Path) -> None:
    for name, seed_name in (("one", None), ("other", "other")):
        fit_and_predict(Job(TASK.fit(GivenLabels(), seed_name=seed_name, epochs=1)), tmp_path / name)
    copy_result(tmp_path / "one", tmp_path / "deep" / "copy")
    assert everything(tmp_path / "deep" / "copy") == everything(tmp_path / "one")
    before = everything(tmp_path / "other")
    copy_result(tmp_path / "one", tmp_path / "other")
    assert everything(tmp_path / "other") == before
