"""What the objectives over labels and over other models' probabilities are worth, against all label paths."""

from dataclasses import dataclass, replace
from itertools import pairwise, product

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from tests.training.small import encoded, small_network
from trustag.crf import Chain
from trustag.data.encoded_corpus import NO_LABEL
from trustag.models.heads import CRFHeadOutputs
from trustag.text.sentences import Sentence
from trustag.training.objectives import (
    Batch,
    GivenLabels,
    GivenLabelsObjective,
    ObjectiveSpec,
    SoftLabels,
    SoftLabelsObjective,
    WeightedLabels,
    WeightedLabelsObjective,
)
from trustag.training.schedule import FitSchedule

LENGTHS, LABELS = (3, 2), 3


@dataclass(frozen=True, slots=True)
class NoInputs:
    """Inputs that nobody looks at."""

    def to(self, device: torch.device) -> "NoInputs":
        return self


def outputs_of(seed: int) -> CRFHeadOutputs:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)

    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    chain = Chain(draw(LABELS, LABELS), draw(LABELS), draw(LABELS))
    logits = draw(len(LENGTHS), max(LENGTHS), LABELS)
    return CRFHeadOutputs(logits, logits, chain, mask)


def batch_of(outputs: CRFHeadOutputs, labels: Tensor | None = None) -> Batch:
    given = labels if labels is not None else torch.zeros(outputs.mask.shape, dtype=torch.long)
    return Batch([0, 1], given.masked_fill(~outputs.mask, NO_LABEL), NoInputs(), outputs, lambda: outputs)


def path_log_probabilities(outputs: CRFHeadOutputs, sentence: int) -> dict[tuple[int, ...], Tensor]:
    chain, rows = outputs.chain, outputs.logits[sentence, : LENGTHS[sentence]]
    scores = {}
    for path in product(range(LABELS), repeat=len(rows)):
        score = chain.start[path[0]] + chain.end[path[-1]]
        score = score + sum(row[label] for row, label in zip(rows, path, strict=True))
        scores[path] = score + sum(chain.transitions[one, two] for one, two in pairwise(path))
    total = torch.logsumexp(torch.stack(list(scores.values())), 0)
    return {path: score - total for path, score in scores.items()}


def random_tables(seed: int) -> tuple[Tensor, ...]:
    generator = torch.Generator().manual_seed(seed)
    rows = [torch.rand(length, LABELS, generator=generator, dtype=torch.float64).softmax(-1) for length in LENGTHS]
    return tuple(rows)


def chance(table: Tensor, path: tuple[int, ...]) -> Tensor:
    return torch.stack([row[label] for row, label in zip(table, path, strict=True)]).prod()


def test_given_labels_cost_their_log_likelihood_and_an_unknown_one_is_summed_over() -> None:
    outputs = outputs_of(1)
    labels = torch.tensor([[1, NO_LABEL, 2], [2, 1, NO_LABEL]])
    losses = GivenLabelsObjective()(batch_of(outputs, labels))
    for sentence, row in enumerate(labels.tolist()):
        logs = path_log_probabilities(outputs, sentence)
        fitting = [
            log
            for path, log in logs.items()
            if all(own in {label, NO_LABEL} for own, label in zip(row, path, strict=False))
        ]
        assert_close(losses[sentence], -torch.stack(fitting).logsumexp(0))


def test_soft_labels_cost_the_mean_over_all_label_sequences() -> None:
    outputs, tables = outputs_of(1), random_tables(2)
    losses = SoftLabelsObjective(tables)(batch_of(outputs))
    for sentence, table in enumerate(tables):
        logs = path_log_probabilities(outputs, sentence)
        expected = -sum(chance(table, path) * log for path, log in logs.items())
        assert_close(losses[sentence], expected)


def test_weighted_labels_cost_the_logarithm_of_the_mean_weight() -> None:
    outputs, tables = outputs_of(1), random_tables(2)
    losses = WeightedLabelsObjective(tables)(batch_of(outputs))
    for sentence, table in enumerate(tables):
        logs = path_log_probabilities(outputs, sentence)
        expected = -torch.stack([chance(table, path) * log.exp() for path, log in logs.items()]).sum().log()
        assert_close(losses[sentence], expected)


def test_certain_labels_cost_the_same_under_every_objective() -> None:
    labels = torch.tensor([[1, 0, 2], [2, 1, 0]])
    batch = batch_of(outputs_of(3), labels)
    certain = tuple(
        torch.nn.functional.one_hot(row[:length], LABELS).double() for row, length in zip(labels, LENGTHS, strict=True)
    )
    expected = GivenLabelsObjective()(batch)
    assert_close(SoftLabelsObjective(certain)(batch), expected)
    assert_close(WeightedLabelsObjective(certain)(batch), expected)


def test_transitions_that_are_ruled_out_leave_the_expected_loss_finite() -> None:
    outputs = outputs_of(4)
    transitions = outputs.chain.transitions.detach().clone()
    transitions[0, 1] = -torch.inf
    ruled = replace(outputs, chain=Chain(transitions, outputs.chain.start, outputs.chain.end))
    loss = SoftLabelsObjective(random_tables(5))(batch_of(ruled)).sum()
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.isfinite()
    assert outputs.logits.grad is not None
    assert outputs.logits.grad.isfinite().all()


CORPUS = encoded([Sentence(("Ann", "ran", "."), ("B-PER", "O", "O")), Sentence(("Ann", "."), ("B-PER", "O"))])
UNIFORM = torch.full((5, len(CORPUS.labels)), 1 / len(CORPUS.labels))


@pytest.mark.parametrize("spec", [GivenLabels(), WeightedLabels(UNIFORM), SoftLabels(UNIFORM)])
def test_stateless_objectives_have_nothing_to_train_to_keep_or_to_record(spec: ObjectiveSpec) -> None:
    network = small_network(CORPUS.labels, CORPUS.tokens)
    objective = spec.build(CORPUS, network, FitSchedule(1, 2, 2, 2, 2))
    objective.begin_epoch(0)
    objective.before_step(0, network)
    assert list(objective.parameters()) == []
    assert (objective.state(), objective.end_epoch(0), objective.record(2)) == ({}, {}, {})
    objective.restore({})


def test_rows_of_a_table_go_to_the_sentences_they_were_made_for() -> None:
    table = torch.arange(10.0).reshape(5, 2)
    network, schedule = small_network(CORPUS.labels, CORPUS.tokens), FitSchedule(1, 2, 2, 2, 2)
    weighted = WeightedLabels(table).build(CORPUS, network, schedule).weights
    soft = SoftLabels(table).build(CORPUS, network, schedule).probabilities
    for rows in (weighted, soft):
        assert [row.tolist() for row in rows] == [table[:3].tolist(), table[3:].tolist()]
