"""What the objectives over other models' probabilities are worth, against all label paths written out."""

from itertools import pairwise, product

import torch
from torch import Tensor
from torch.testing import assert_close

from trustag.crf import Chain
from trustag.training.objectives import ExpectedLabels, GivenLabels, Pass, Scored, WeightedLabels

LENGTHS, LABELS = (3, 2), 3


def scored(seed: int, labels: Tensor | None = None) -> Scored:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)

    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    chain = Chain(draw(LABELS, LABELS), draw(LABELS), draw(LABELS))
    emissions = draw(len(LENGTHS), max(LENGTHS), LABELS)
    given = labels if labels is not None else torch.zeros(mask.shape, dtype=torch.long)
    reading = Pass(emissions, emissions)
    return Scored([0, 1], given, mask, reading, chain, lambda: reading)


def path_log_probabilities(batch: Scored, sentence: int) -> dict[tuple[int, ...], Tensor]:
    chain, rows = batch.chain, batch.emissions[sentence, : LENGTHS[sentence]]
    scores = {}
    for path in product(range(LABELS), repeat=len(rows)):
        score = chain.start[path[0]] + chain.end[path[-1]]
        score = score + sum(row[label] for row, label in zip(rows, path, strict=True))
        scores[path] = score + sum(chain.transitions[one, two] for one, two in pairwise(path))
    total = torch.logsumexp(torch.stack(list(scores.values())), 0)
    return {path: score - total for path, score in scores.items()}


def random_tables(seed: int) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.rand(length, LABELS, generator=generator, dtype=torch.float64).softmax(-1) for length in LENGTHS]


def chance(table: Tensor, path: tuple[int, ...]) -> Tensor:
    return torch.stack([row[label] for row, label in zip(table, path, strict=True)]).prod()


def test_expected_labels_cost_the_mean_over_all_labellings() -> None:
    batch, tables = scored(1), random_tables(2)
    losses = ExpectedLabels(tables)(batch)
    for sentence, table in enumerate(tables):
        logs = path_log_probabilities(batch, sentence)
        expected = -sum(chance(table, path) * log for path, log in logs.items())
        assert_close(losses[sentence], expected)


def test_weighted_labels_cost_the_logarithm_of_the_mean_weight() -> None:
    batch, tables = scored(1), random_tables(2)
    losses = WeightedLabels(tables)(batch)
    for sentence, table in enumerate(tables):
        logs = path_log_probabilities(batch, sentence)
        expected = -torch.stack([chance(table, path) * log.exp() for path, log in logs.items()]).sum().log()
        assert_close(losses[sentence], expected)


def test_certain_labels_cost_the_same_under_every_objective() -> None:
    labels = torch.tensor([[1, 0, 2], [2, 1, 0]])
    batch = scored(3, labels)
    certain = [
        torch.nn.functional.one_hot(row[:length], LABELS).double() for row, length in zip(labels, LENGTHS, strict=True)
    ]
    expected = GivenLabels()(batch)
    assert_close(ExpectedLabels(certain)(batch), expected)
    assert_close(WeightedLabels(certain)(batch), expected)


def test_moves_that_are_ruled_out_leave_the_expected_loss_finite() -> None:
    batch = scored(4)
    transitions = batch.chain.transitions.detach().clone()
    transitions[0, 1] = -torch.inf
    ruled = Scored(
        batch.sentences,
        batch.labels,
        batch.mask,
        batch.reading,
        Chain(transitions, batch.chain.start, batch.chain.end),
        batch.clean_reading,
    )
    loss = ExpectedLabels(random_tables(5))(ruled).sum()
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.isfinite()
    assert batch.emissions.grad is not None
    assert batch.emissions.grad.isfinite().all()
