"""Training one network: what chooses the epoch, what it starts from, and that it continues where it was stopped."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from msgspec.structs import replace as changed

from tests.training.co_teaching import ChosenByPeer
from tests.training.learning_objective import BiasedLabels
from tests.training.small import here, small_network, small_recipe, small_task
from trustag.data.corpus_outputs import label_scores
from trustag.models.saving import load_model
from trustag.models.warm_start import WarmStart
from trustag.noise.perturbation import Perturbation, perturb
from trustag.notes import Note, Watch, unwatched
from trustag.pipeline import Destination, TrainResult, train_in
from trustag.runs.folder import RunFolder
from trustag.text.published_scoring import score_as_published
from trustag.text.schemes import Scheme
from trustag.text.scoring import score_labels
from trustag.text.sentences import Corpus, Sentence
from trustag.training.fit_results import FitResult, Job, fit_and_predict, read_result
from trustag.training.fitting import FitSpec, Report, fit
from trustag.training.objectives import GivenLabels

EAGER = ("training.epochs=5", "training.learning_rate=0.03", "training.average=0.0", "bilstm.dropout=0.0")
PATTERNS = (
    Sentence(("Ann", "Lee", "sings"), ("B-PER", "I-PER", "O")),
    Sentence(("Bob", "lives", "in", "Rome"), ("B-PER", "O", "O", "B-LOC")),
    Sentence(("it", "rains", "in", "New", "York"), ("O", "O", "O", "B-LOC", "I-LOC")),
    Sentence(("nobody", "sings"), ("O", "O")),
)


def easy_corpus() -> Corpus:
    """Return sentences so few and so often repeated that a small network learns them by heart."""
    return Corpus(PATTERNS * 15, PATTERNS, PATTERNS)


def run_to(path: Path, corpus: Corpus, *changes: str, watch: Watch = unwatched) -> TrainResult:
    return train_in(corpus, small_recipe(*EAGER, *changes), Destination(path), here(watch))


@pytest.mark.slow
def test_noisy_dev_labels_choose_the_epoch_even_where_gold_stands_beside_them(tmp_path: Path) -> None:
    corpus = easy_corpus()
    noisy = replace(corpus, dev=perturb(corpus.dev, Perturbation(0.5, 0.9)).sentences)
    assert all(sentence.gold is not None for sentence in noisy.dev)
    bare = replace(noisy, dev=tuple(changed(sentence, gold=None) for sentence in noisy.dev))
    histories = [run_to(tmp_path / name, data).history for name, data in (("noisy", noisy), ("bare", bare))]
    assert histories[0] == histories[1]
    clean = run_to(tmp_path / "clean", corpus).history
    assert [epoch.loss for epoch in clean] == [epoch.loss for epoch in histories[0]]
    assert [epoch.f1 for epoch in clean] != [epoch.f1 for epoch in histories[0]]


def test_where_dev_is_not_to_choose_the_last_epoch_is_kept(tmp_path: Path) -> None:
    result = run_to(tmp_path / "run", easy_corpus(), "training.stopping=none")
    assert result.best_epoch == 4
    weights = [tmp_path / "run" / model / "weights.safetensors" for model in ("model-best", "model-last")]
    assert weights[0].read_bytes() == weights[1].read_bytes()


@pytest.mark.parametrize("evaluator", ["conlleval", "published"])
def test_epochs_and_results_are_scored_by_the_evaluator_of_the_recipe(evaluator: str, tmp_path: Path) -> None:
    corpus = easy_corpus()
    changes = (f"training.evaluator={evaluator}", "model.constraints=none")
    result = run_to(tmp_path / "run", corpus, *changes)
    tagged = load_model(tmp_path / "run").tag((sentence.tokens for sentence in corpus.dev), Scheme.IOBES)
    pairs = list(zip((sentence.labels for sentence in corpus.dev), tagged, strict=True))
    expected = (score_as_published if evaluator == "published" else score_labels)(pairs).micro
    assert result.scores.dev is not None
    assert result.scores.dev.micro == expected
    assert expected.correct
    assert result.history[result.best_epoch].f1 == expected.f1


@pytest.mark.parametrize(
    ("changes", "noted"),
    [
        (("training.batch_tokens=4",), ["1 per step instead of 8 (training.batch_tokens=4)"]),
        (("training.batch_tokens=0",), []),
        (("training.batch_tokens=4", "training.batches=fixed"), []),
        (("training.batch_tokens=4", "training.batches=shuffled"), []),
    ],
)
def test_only_bucketed_batches_shrink_where_sentences_are_long(
    changes: tuple[str, ...], noted: list[str], tmp_path: Path
) -> None:
    notes: list[Note] = []
    run_to(tmp_path / "run", Corpus(PATTERNS), "training.epochs=1", *changes, watch=notes.append)
    assert [note.detail for note in notes if note.reason == "long sentences"] == noted


class Stop(Exception):  # noqa: N818
    """Stands for whatever stops a training."""


def interrupted(job: Job, after: int, folder: Path) -> tuple[FitResult, FitResult]:
    """Return the results of a training at one stretch and of one that is stopped after some reports and resumed."""
    fit_and_predict(job, folder / "whole")
    seen = 0

    def stop(report: Report) -> None:
        nonlocal seen
        seen += 1
        if seen == after:
            raise Stop

    with pytest.raises(Stop):
        fit_and_predict(job, folder / "broken", stop)
    torch.manual_seed(5)
    fit_and_predict(job, folder / "broken")
    whole, broken = (read_result(folder / name, job.predict, "crf") for name in ("whole", "broken"))
    assert whole.history == broken.history
    assert torch.equal(label_scores(whole.outputs), label_scores(broken.outputs))
    return whole, broken


@pytest.mark.parametrize("after", [1, 9, 12])
def test_own_parameters_of_an_objective_survive_an_interruption(after: int, tmp_path: Path) -> None:
    spec = small_task(small_recipe("training.snapshot_seconds=0")).fit(BiasedLabels())
    whole, broken = interrupted(Job(spec, spec.corpus.tokens[:5]), after, tmp_path)
    assert torch.equal(whole.record["bias"], broken.record["bias"])
    assert whole.record["bias"].abs().max() > 0
    assert int(broken.record["steps"]) == 3 * 8


def test_a_peer_is_trained_beside_the_network_and_survives_an_interruption(tmp_path: Path) -> None:
    task = small_task(small_recipe("training.snapshot_seconds=0"))
    spec = task.fit(ChosenByPeer(task.network))
    whole, broken = interrupted(Job(spec, spec.corpus.tokens[:5]), 12, tmp_path)
    assert torch.equal(whole.record["peer_rows"], broken.record["peer_rows"])
    objective = spec.objective.build(spec.corpus, small_network(spec.corpus.labels, spec.corpus.tokens), spec.schedule)
    assert not torch.equal(whole.record["peer_rows"], objective.record(0)["peer_rows"])


@pytest.mark.parametrize("after", [3, 11])
def test_an_epoch_may_be_some_steps_and_dev_is_scored_after_each(after: int, tmp_path: Path) -> None:
    task = small_task(small_recipe("training.snapshot_seconds=0"))  # eight steps a pass
    spec = task.fit(GivenLabels(), epochs=4, epoch_steps=5)
    whole, _ = interrupted(Job(spec, spec.corpus.tokens[:5]), after, tmp_path)
    assert len(whole.history) == 4
    assert all(report.f1 is not None for report in whole.history)


def fitted(spec: FitSpec, folder: Path) -> list[Note]:
    folder.mkdir(parents=True)
    notes: list[Note] = []
    fit(spec, RunFolder(folder), resume=False, watch=notes.append, report=lambda _: None)
    return notes


def test_a_training_may_start_from_another_model(tmp_path: Path) -> None:
    task = small_task(small_recipe("training.epochs=1", "training.average=0.0"))
    fitted(task.fit(GivenLabels()), tmp_path / "first")
    start = WarmStart(tmp_path / "first" / "model-last")
    still = small_recipe("training.epochs=1", "training.learning_rate=1e-12", "training.average=0.0")
    spec = replace(small_task(still).fit(GivenLabels(), seed_name="another"), start=start)
    assert fitted(spec, tmp_path / "second") == []
    weights = [load_model(tmp_path / name / "model-last").network.state_dict() for name in ("first", "second")]
    for name, weight in weights[0].items():
        torch.testing.assert_close(weights[1][name], weight, atol=1e-6, rtol=0)


def test_without_resuming_a_training_begins_anew(tmp_path: Path) -> None:
    spec = small_task(small_recipe("training.epochs=2")).fit(GivenLabels())
    folder = RunFolder(tmp_path / "run")

    def stop(report: Report) -> None:
        if folder.checkpoints.exists():
            raise Stop

    folder.path.mkdir()
    with pytest.raises(Stop):
        fit(spec, folder, resume=False, watch=unwatched, report=stop)
    steps: list[Report] = []
    fit(spec, folder, resume=False, watch=unwatched, report=steps.append)
    assert len(steps) == 2 * 9


def test_a_training_lasts_a_share_of_its_epochs_and_one_at_least() -> None:
    spec = small_task(small_recipe("training.epochs=8")).fit(GivenLabels())
    assert [spec.lasting(share).schedule.epochs for share in (1.0, 0.5, 0.3, 0.01)] == [8, 4, 2, 1]
    assert replace(spec.lasting(0.5), schedule=spec.schedule) == spec
