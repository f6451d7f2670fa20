"""What the objectives over other models' probabilities are worth, against all label paths written out."""

from itertools import pairwise, product

import torch
from torch import Tensor
from torch.testing import assert_close

from tests.methods.confidence.made_up_batches import batch_with, corpus_of, schedule_of
from tests.training.small import small_network
from trustag.crf import Chain
from trustag.data.encoded_corpus import NO_LABEL
from trustag.models.crf_head import CRFHeadOutputs
from trustag.text.label_sets import LabelSet
from trustag.training.objectives import (
    Batch,
    GivenLabels,
    GivenLabelsObjective,
    SoftLabels,
    StatelessObjective,
    WeightedLabels,
)

LABELS = LabelSet(("PER",), "BI")
LENGTHS, COUNT = (3, 2), len(LABELS)
CORPUS = corpus_of([[0] * length for length in LENGTHS], labels=LABELS)
NETWORK = small_network(LABELS, CORPUS.tokens)


def random_outputs(seed: int) -> CRFHeadOutputs:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)

    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    chain = Chain(draw(COUNT, COUNT), draw(COUNT), draw(COUNT))
    logits = draw(len(LENGTHS), max(LENGTHS), COUNT)
    return CRFHeadOutputs(logits, logits, chain, mask)


def batch_of(outputs: CRFHeadOutputs, labels: Tensor | None = None, order: tuple[int, int] = (0, 1)) -> Batch:
    given = labels if labels is not None else torch.zeros(outputs.mask.shape, dtype=torch.long)
    return batch_with(order, given, outputs, outputs)


def path_log_probabilities(outputs: CRFHeadOutputs, sentence: int) -> dict[tuple[int, ...], Tensor]:
    chain, rows = outputs.chain, outputs.logits[sentence, : LENGTHS[sentence]]
    scores = {}
    for path in product(range(COUNT), repeat=len(rows)):
        score = chain.start[path[0]] + chain.end[path[-1]]
        score = score + sum(row[label] for row, label in zip(rows, path, strict=True))
        scores[path] = score + sum(chain.transitions[one, two] for one, two in pairwise(path))
    total = torch.logsumexp(torch.stack(list(scores.values())), 0)
    return {path: score - total for path, score in scores.items()}


def random_table(seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(sum(LENGTHS), COUNT, generator=generator, dtype=torch.float64).softmax(-1)


def chance(table: Tensor, path: tuple[int, ...]) -> Tensor:
    return torch.stack([row[label] for row, label in zip(table, path, strict=True)]).prod()


def test_soft_labels_cost_the_mean_over_all_labellings() -> None:
    outputs, table = random_outputs(1), random_table(2)
    losses = SoftLabels(table).build(CORPUS, NETWORK, schedule_of(1))(batch_of(outputs))
    for sentence, own in enumerate(torch.split(table, list(LENGTHS))):
        logs = path_log_probabilities(outputs, sentence)
        expected = -sum(chance(own, path) * log for path, log in logs.items())
        assert_close(losses[sentence], expected)


def test_weighted_labels_cost_the_logarithm_of_the_mean_weight() -> None:
    outputs, table = random_outputs(1), random_table(2)
    losses = WeightedLabels(table).build(CORPUS, NETWORK, schedule_of(1))(batch_of(outputs))
    for sentence, own in enumerate(torch.split(table, list(LENGTHS))):
        logs = path_log_probabilities(outputs, sentence)
        expected = -torch.stack([chance(own, path) * log.exp() for path, log in logs.items()]).sum().log()
        assert_close(losses[sentence], expected)


def test_the_rows_of_a_batch_are_those_of_its_sentences() -> None:
    lengths = (2, 2)
    corpus = corpus_of([[0] * length for length in lengths], labels=LABELS)
    table = random_table(2)[:4]
    full = random_outputs(1)
    outputs = CRFHeadOutputs(full.features[:, :2], full.logits[:, :2], full.chain, full.mask[:, :2])
    swapped = CRFHeadOutputs(outputs.features.flip(0), outputs.logits.flip(0), outputs.chain, outputs.mask)
    labels = torch.zeros(2, 2, dtype=torch.long)
    for spec in (SoftLabels(table), WeightedLabels(table)):
        objective = spec.build(corpus, NETWORK, schedule_of(1))
        there = objective(batch_with((0, 1), labels, outputs, outputs))
        back = objective(batch_with((1, 0), labels, swapped, swapped))
        assert_close(there, back.flip(0))


def test_certain_labels_cost_the_same_under_every_objective() -> None:
    labels = torch.tensor([[1, 0, 2], [2, 1, 0]])
    batch = batch_of(random_outputs(3), labels)
    rows = [row[:length] for row, length in zip(labels, LENGTHS, strict=True)]
    certain = torch.nn.functional.one_hot(torch.cat(rows), COUNT).double()
    expected = GivenLabels().build(CORPUS, NETWORK, schedule_of(1))(batch)
    for spec in (SoftLabels(certain), WeightedLabels(certain)):
        assert_close(spec.build(CORPUS, NETWORK, schedule_of(1))(batch), expected)


def test_given_labels_cost_their_negative_log_likelihood_and_unknown_ones_nothing() -> None:
    outputs = random_outputs(5)
    labels = torch.tensor([[1, NO_LABEL, 2], [NO_LABEL, NO_LABEL, NO_LABEL]])
    losses = GivenLabelsObjective()(batch_of(outputs, labels))
    logs = path_log_probabilities(outputs, 0)
    inside = [log for path, log in logs.items() if (path[0], path[2]) == (1, 2)]
    assert_close(losses[0], -torch.logsumexp(torch.stack(inside), 0))
    assert_close(losses[1], torch.zeros((), dtype=torch.float64), atol=1e-9, rtol=0)


def test_transitions_that_are_ruled_out_leave_the_expected_loss_finite() -> None:
    outputs = random_outputs(4)
    transitions = outputs.chain.transitions.detach().clone()
    transitions[0, 1] = -torch.inf
    ruled = CRFHeadOutputs(
        outputs.features, outputs.logits, Chain(transitions, outputs.chain.start, outputs.chain.end), outputs.mask
    )
    loss = SoftLabels(random_table(5)).build(CORPUS, NETWORK, schedule_of(1))(batch_of(ruled)).sum()
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.isfinite()
    assert outputs.logits.grad is not None
    assert outputs.logits.grad.isfinite().all()


def test_a_stateless_objective_has_nothing_to_keep() -> None:
    objective = StatelessObjective()
    objective.begin_epoch(0)
    objective.before_step(0, NETWORK)
    objective.restore({})
    assert list(objective.parameters()) == []
    assert objective.end_epoch(0) == objective.state() == objective.record(1) == {}
