"""What a student learns: soft labels and losses against loops and autograd, and who teaches when."""

import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from tests.methods.test_laws import corpus
from tests.training.small import small_network, small_recipe, small_task
from trustag.data.encoded_corpus import pad_labels
from trustag.methods.bond.settings import BONDSettings
from trustag.methods.bond.teaching import TaughtLabels, TaughtLabelsObjective, soft_labels, taught_losses
from trustag.training.objectives import Batch
from trustag.training.schedule import FitSchedule

RECIPE = small_recipe("model.head=softmax", "training.epochs=8", method="bond")
TASK = small_task(RECIPE, corpus())
NETWORK = small_network(TASK.corpus.labels, TASK.corpus.tokens, RECIPE)
SCHEDULE = FitSchedule(seed=3, epochs=6, patience=4, batch_size=4, nominal_epochs=8)


def tables(tokens: int, labels: int) -> tuple[Tensor, Tensor]:
    """Return logits of the student and probabilities of the teacher, in double precision."""
    draw = torch.Generator().manual_seed(tokens)
    logits, taught = (3 * torch.randn(tokens, labels, generator=draw, dtype=torch.double) for _ in range(2))
    return logits, taught.softmax(-1)


def slow_soft(taught: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return S_tc = (f_tc^2 / F_c) / sum_c' (f_tc'^2 / F_c'), F_c the sum of f_tc over tokens."""
    totals = [sum(column) for column in zip(*taught, strict=True)]
    found = []
    for row in taught:
        shares = [value**2 / total for value, total in zip(row, totals, strict=True)]
        found.append([share / sum(shares) for share in shares])
    return found


def test_soft_labels_are_the_squares_over_the_totals() -> None:
    _, taught = tables(7, 5)
    assert torch.allclose(soft_labels(taught), torch.tensor(slow_soft(taught.tolist()), dtype=torch.double))


@pytest.mark.parametrize("threshold", [0.0, 0.6, 0.9])
def test_the_loss_is_the_divergence_of_sure_tokens(threshold: float) -> None:
    logits, taught = tables(9, 4)
    settings = BONDSettings(threshold=threshold)
    losses, learned = taught_losses(logits, taught, torch.zeros_like(taught), settings)
    for token, targets in enumerate(slow_soft(taught.tolist())):
        student = logits[token].softmax(-1).tolist()
        divergence = sum(p * math.log(p / q) for p, q in zip(targets, student, strict=True))
        assert bool(learned[token]) == (max(targets) > threshold)
        assert losses[token].item() == pytest.approx(divergence if max(targets) > threshold else 0.0)


def test_the_gradient_is_student_minus_target_and_without_softmax_the_target_alone() -> None:
    logits, taught = tables(6, 4)
    targets = soft_labels(taught)
    logits.requires_grad_()
    for divergence in ("softmax", "logits"):
        settings = BONDSettings(threshold=0.0, divergence=divergence)
        losses, _ = taught_losses(logits, taught, torch.zeros_like(taught), settings)
        (gradient,) = torch.autograd.grad(losses.sum(), logits)
        expected = logits.softmax(-1) - targets if divergence == "softmax" else -targets / 4
        assert torch.allclose(gradient, expected)
    published = torch.nn.functional.kl_div(logits, targets, reduction="none").mean()
    settings = BONDSettings(threshold=0.0, divergence="logits")
    losses, _ = taught_losses(logits, taught, torch.zeros_like(taught), settings)
    assert torch.allclose(losses.mean(), published)


def test_hard_labels_are_the_teacher_s_best_and_reviewed_ones_stay() -> None:
    logits, taught = tables(6, 4)
    certain = torch.zeros_like(taught)
    certain[2, 1] = 1.0
    best = taught.argmax(-1)
    best[2] = 1
    losses, learned = taught_losses(logits, taught, certain, BONDSettings(pseudo_labels="hard"))
    expected = [-math.log(row.softmax(-1)[label]) for row, label in zip(logits, best, strict=True)]
    assert losses.tolist() == pytest.approx(expected)
    assert learned.all()
    losses, learned = taught_losses(logits, taught, certain, BONDSettings())
    assert learned[2]
    assert losses[2].item() == pytest.approx(-math.log(logits[2].softmax(-1)[1]))


def objective(**changes: object) -> TaughtLabelsObjective:
    settings = BONDSettings.model_validate(changes)
    return TaughtLabels(TASK.network, settings).build(TASK.corpus, NETWORK, SCHEDULE)


def batch_of(sentences: Sequence[int]) -> Batch:
    own = TASK.corpus
    labels, mask = pad_labels([own.rows[number] for number in sentences])
    inputs = NETWORK.collate([own.tokens[number] for number in sentences])
    outputs = NETWORK.eval().outputs(inputs, mask)
    return Batch(list(sentences), labels, inputs, outputs, lambda: outputs)


def test_the_mean_over_sentences_is_the_mean_over_learned_tokens_whatever_the_padding() -> None:
    built = objective(threshold=0.2)
    sentences = [4, 1, 0, 3]
    batch = batch_of(sentences)
    with torch.no_grad():
        outputs = built.teacher.outputs(batch.inputs, batch.mask)
    taught = outputs.logits[batch.mask].softmax(-1)  # type: ignore[attr-defined]
    indices = TASK.corpus.token_indices(sentences)
    certain = torch.zeros_like(taught)
    reviewed = TASK.corpus.reviewed[indices]
    certain[reviewed, TASK.corpus.label_ids[indices][reviewed]] = 1.0
    logits = batch.label_outputs.logits[batch.mask]
    losses, learned = taught_losses(logits, taught, certain, BONDSettings(threshold=0.2))
    assert int(learned.sum()) > 0
    assert torch.allclose(built(batch).mean(), losses[learned].mean())


def test_the_student_becomes_the_teacher_every_period_and_in_between_it_does_not() -> None:
    built = objective(period=3)
    student = small_network(TASK.corpus.labels, TASK.corpus.tokens, RECIPE)
    weight = student.state_dict()["head.projection.weight"]
    seen = []
    for step in range(7):
        weight.fill_(float(step))
        built.before_step(step, student)
        seen.append(built.teacher.state_dict()["head.projection.weight"][0, 0].item())
    assert seen == [0, 0, 0, 3, 3, 3, 6]
    assert not built.teacher.training
    assert objective().period == max(1, 6 * 3 // 10)


def test_a_checkpoint_keeps_the_teacher() -> None:
    one, other = objective(), objective()
    one.teacher.state_dict()["head.projection.weight"].fill_(7.0)
    other.restore(one.state())
    assert (other.teacher.state_dict()["head.projection.weight"] == 7.0).all()
