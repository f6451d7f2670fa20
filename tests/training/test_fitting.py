"""What chooses the epoch: dev as it is labelled, clean or noisy, or nothing but the number of epochs."""

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from tests.training.small import here, small_recipe
from trustag.models.saving import load_model
from trustag.noise.perturbation import Perturbation, perturb
from trustag.notes import Note, Watch, unwatched
from trustag.pipeline import Destination, TrainResult, train_in
from trustag.text.published_scoring import score_as_published
from trustag.text.schemes import Scheme
from trustag.text.scoring import score_labels
from trustag.text.sentences import Corpus, Sentence

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


def test_without_trust_in_dev_the_last_epoch_is_kept(tmp_path: Path) -> None:
    trained = run_to(tmp_path / "run", easy_corpus(), "training.stopping=none")
    assert trained.best_epoch == 4
    weights = [tmp_path / "run" / model / "weights.safetensors" for model in ("model-best", "model-last")]
    assert weights[0].read_bytes() == weights[1].read_bytes()


@pytest.mark.parametrize("evaluator", ["conlleval", "published"])
def test_epochs_and_results_are_scored_by_the_evaluator_of_the_recipe(evaluator: str, tmp_path: Path) -> None:
    corpus = easy_corpus()
    changes = (f"training.evaluator={evaluator}", "model.constraints=none")
    trained = run_to(tmp_path / "run", corpus, *changes)
    tagged = load_model(tmp_path / "run").tag((sentence.tokens for sentence in corpus.dev), Scheme.IOBES)
    pairs = list(zip((sentence.labels for sentence in corpus.dev), tagged, strict=True))
    expected = (score_as_published if evaluator == "published" else score_labels)(pairs).micro
    assert trained.scores.dev is not None
    assert trained.scores.dev.micro == expected
    assert expected.correct
    assert trained.history[trained.best_epoch].f1 == expected.f1


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
