"""Confident learning against its definitions written as loops over tokens."""

from itertools import product

import pytest
import torch
from hypothesis import given as drawn
from hypothesis import strategies as st
from torch import Tensor

from trustag.noise_rates.confident_learning import (
    PruneRule,
    confident_joint,
    joint_rates,
    label_thresholds,
    sure_labels,
    wrong_labels,
)

SIZES = st.tuples(st.integers(1, 40), st.integers(2, 5), st.integers(0, 10**6))


def tables(tokens: int, labels: int, seed: int) -> tuple[Tensor, Tensor]:
    """Return given labels, some unknown, and probabilities of all labels."""
    draw = torch.Generator().manual_seed(seed)
    given = torch.randint(-1, labels, (tokens,), generator=draw)
    return given, (2 * torch.randn(tokens, labels, generator=draw, dtype=torch.double)).softmax(-1)


def slow_joint(given: list[int], p: list[list[float]], labels: int) -> list[list[float]]:
    means = {}
    for label in range(labels):
        own = [row[label] for row, name in zip(p, given, strict=True) if name == label]
        means[label] = sum(own) / len(own) if own else float("inf")
    counts = [[0.0] * labels for _ in range(labels)]
    for row, name in zip(p, given, strict=True):
        above = [label for label in range(labels) if row[label] >= means[label] - 1e-15]
        if name >= 0 and above:
            counts[name][max(above, key=lambda label: row[label])] += 1
    for label in range(labels):
        if not sum(counts[label]):
            counts[label][label] = 1.0
        total, wanted = sum(counts[label]), given.count(label)
        counts[label] = [count * wanted / total for count in counts[label]]
    return counts


@drawn(SIZES)
def test_the_joint_counts_the_labels_that_models_are_sure_of(sizes: tuple[int, int, int]) -> None:
    given, p = tables(*sizes)
    joint = confident_joint(given, p)
    expected = slow_joint(given.tolist(), p.tolist(), sizes[1])
    assert torch.allclose(joint, torch.tensor(expected, dtype=torch.double))
    for label in range(sizes[1]):
        assert joint[label].sum().item() == pytest.approx(given.tolist().count(label))


@drawn(SIZES, st.sampled_from(["noise-rate", "class", "both"]))
def test_as_many_labels_are_pruned_as_were_counted_those_that_look_worst(
    sizes: tuple[int, int, int], rule: PruneRule
) -> None:
    given, p = tables(*sizes)
    names, rows, labels = given.tolist(), p.tolist(), sizes[1]
    joint = confident_joint(given, p).tolist()
    by_kind: set[int] = set()
    by_label: set[int] = set()
    for label in range(labels):
        own = [token for token, name in enumerate(names) if name == label]
        for other in set(range(labels)) - {label}:
            margin = {token: rows[token][other] - rows[token][label] for token in own}
            by_kind |= set(sorted(own, key=lambda token: -margin[token])[: round(joint[label][other])])
        count = round(sum(joint[label]) - joint[label][label])
        by_label |= set(sorted(own, key=lambda token: rows[token][label])[:count])
    expected = {"noise-rate": by_kind, "class": by_label, "both": by_kind & by_label}[rule]
    expected = {token for token in expected if max(rows[token]) != rows[token][names[token]]}
    assert set(wrong_labels(given, p, rule).nonzero().flatten().tolist()) == expected


@drawn(SIZES)
def test_the_confident_rule_prunes_what_is_off_the_diagonal(sizes: tuple[int, int, int]) -> None:
    given, p = tables(*sizes)
    found = wrong_labels(given, p, "confident")
    sure = sure_labels(given, p)
    for token in range(len(given)):
        assert bool(found[token]) == (given[token] >= 0 and sure[token] not in (-1, given[token]))
    assert not found[given < 0].any()


def test_clear_errors_are_found_whatever_the_rule() -> None:
    """Two labels, twenty tokens of each, three of which have the other one's."""
    truth = torch.tensor([0] * 20 + [1] * 20)
    given = truth.clone()
    given[[2, 7, 30]] = 1 - given[[2, 7, 30]]
    p = torch.full((40, 2), 0.05, dtype=torch.double)
    p[torch.arange(40), truth] = 0.95
    rules: list[PruneRule] = ["noise-rate", "class", "both", "confident"]
    for rule in rules:
        assert wrong_labels(given, p, rule).nonzero().flatten().tolist() == [2, 7, 30]
    rates = joint_rates(confident_joint(given, p))
    assert [rates.negative, rates.positive] == pytest.approx([1 / 19, 2 / 21])


def test_a_label_that_no_token_has_is_never_sure() -> None:
    given, p = torch.tensor([0, 0, 1]), torch.tensor([[0.1, 0.1, 0.8], [0.6, 0.2, 0.2], [0.1, 0.7, 0.2]])
    assert label_thresholds(given, p).tolist() == [pytest.approx(0.35), pytest.approx(0.7), float("inf")]
    assert sure_labels(given, p).tolist() == [-1, 0, 1]
    assert confident_joint(given, p).tolist() == [[2, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_rates_are_shares_of_rows() -> None:
    joint = torch.rand(4, 4, dtype=torch.double) + torch.eye(4)
    rates = joint_rates(joint)
    off = [(a, b) for a, b in product(range(4), repeat=2) if a != b]
    positive = sum(joint[a, b].item() for a, b in off if a) / joint[1:].sum().item()
    assert rates.negative == pytest.approx(joint[0, 1:].sum().item() / joint[0].sum().item())
    assert rates.positive == pytest.approx(positive)
