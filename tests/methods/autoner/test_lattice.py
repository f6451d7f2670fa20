"""Sums and best ways of the lattice against enumeration, and what longer stretches than it has cost."""

import math
from itertools import product

import pytest
import torch

from tests.methods.autoner.enumeration import COUNT, LABELS, enumerated, random_outputs
from trustag.methods.autoner.lattice import FORBIDDEN, LONGEST, Lattice, stretch_labels
from trustag.methods.autoner.stretch_outputs import StretchOutputs
from trustag.text.schemes import write_spans
from trustag.text.spans import Span


def lattice_of(outputs: StretchOutputs) -> Lattice:
    scores = torch.nn.utils.rnn.pad_sequence(list(torch.split(outputs.scores, list(outputs.lengths))), batch_first=True)
    starts, ends = scores.double()[..., 1:].chunk(2, -1)
    return Lattice(scores.double()[..., 0], starts, ends, outputs.lengths)


def test_the_labels_of_a_stretch_are_iobes() -> None:
    for size, kind in product(range(1, 5), range(3)):
        spans = [Span(0, size, LABELS.types[kind - 1])] if kind else []
        expected = [LABELS.index[str(name)] for name in write_spans(spans, ["O"] * size, LABELS.scheme)]
        assert stretch_labels(size, kind) == expected


@pytest.mark.parametrize("seed", range(3))
def test_without_weights_everything_sums_to_one_whatever_the_padding(seed: int) -> None:
    found = lattice_of(random_outputs(seed, [4, 1, 3])).log_partition(torch.zeros(3, 4, COUNT, dtype=torch.double))
    assert torch.allclose(found, torch.zeros(3, dtype=torch.double), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_weights_add_to_the_ways_through_them(seed: int) -> None:
    outputs = random_outputs(seed, [4])
    weights = torch.randn(1, 4, COUNT, dtype=torch.double)
    total = 0.0
    ways = enumerated(outputs.scores)
    for labels, chance in ways.items():
        total += chance * math.exp(sum(weights[0, token, label].item() for token, label in enumerate(labels)))
    assert lattice_of(outputs).log_partition(weights).item() == pytest.approx(math.log(total))


@pytest.mark.parametrize("seed", range(6))
def test_the_best_labels_are_those_of_the_best_single_way(seed: int) -> None:
    """Several ways can give the same labels (all O); the best way is the likeliest one by itself."""
    lengths = [4, 2]
    outputs = random_outputs(seed, lengths)
    lattice = lattice_of(outputs)
    nothing = torch.zeros(2, 4, COUNT, dtype=torch.double)
    found = lattice.best_labels(nothing)
    tables = lattice.tables(nothing)
    for sentence, length in enumerate(lengths):
        best = max(_ways(tables, sentence, length, 0))
        assert found[sentence] == best[1]


def _ways(tables: list[torch.Tensor], sentence: int, length: int, first: int) -> list[tuple[float, list[int]]]:
    if first == length:
        return [(0.0, [])]
    found = []
    for size in range(1, length - first + 1):
        for kind, value in enumerate(tables[size - 1][sentence, first].tolist()):
            for rest, labels in _ways(tables, sentence, length, first + size):
                found.append((value + rest, [*stretch_labels(size, kind), *labels]))
    return found


def test_no_stretch_is_longer_than_the_longest() -> None:
    length = LONGEST + 3
    gaps = torch.full((1, length), 9.0, dtype=torch.double)
    starts = torch.zeros(1, length, 3, dtype=torch.double)
    starts[..., 1] = 20.0
    lattice = Lattice(gaps, starts, torch.zeros_like(starts), [length])
    (labels,) = lattice.best_labels(torch.zeros(1, length, COUNT, dtype=torch.double))
    assert labels.count(1) + labels.count(4) == 2
    assert max(map(len, "".join("x" if label == 2 else " " for label in labels).split())) <= LONGEST - 2
    assert FORBIDDEN < -1000
