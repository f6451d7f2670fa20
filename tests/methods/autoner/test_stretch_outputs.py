"""Marginals, sequences and best labels of stretches against enumeration, alone and under allowed labels."""

from itertools import product

import pytest
import torch

from tests.methods.autoner.enumeration import COUNT, enumerated, random_outputs
from trustag.crf.crf_outputs import LabelSequence
from trustag.methods.autoner.stretch_outputs import StretchOutputs


@pytest.mark.parametrize("seed", range(3))
def test_marginals_and_sequences_are_sums_over_all_ways(seed: int) -> None:
    lengths = [4, 1, 3]
    own = random_outputs(seed, lengths)
    marginals = torch.split(own.marginals(), lengths)
    asked, expected = [], []
    for number, scores in enumerate(torch.split(own.scores, lengths)):
        every = enumerated(scores)
        for token, label in product(range(len(scores)), range(COUNT)):
            total = sum(chance for path, chance in every.items() if path[token] == label)
            assert marginals[number][token, label].item() == pytest.approx(total, abs=1e-6)
        for path in sorted(every, key=every.__getitem__)[-2:]:
            asked.append(LabelSequence(number, max(0, len(path) - 2), path[-2:]))
            expected.append(sum(chance for other, chance in every.items() if other[-2:] == path[-2:]))
    asked, expected = asked[::-1], expected[::-1]
    assert own.probabilities_of(asked) == pytest.approx(expected, abs=1e-6)
    assert own.probabilities_of([]) == []


@pytest.mark.parametrize("seed", range(3))
def test_labels_that_are_known_condition_everything_else(seed: int) -> None:
    own = random_outputs(seed, [4])
    allowed = torch.rand(4, COUNT) < 0.7
    allowed[:, 0] = True
    inside = {path: chance for path, chance in enumerated(own.scores).items() if all(allowed[range(4), list(path)])}
    total = sum(inside.values())
    found = own.marginals(allowed)
    for token, label in product(range(4), range(COUNT)):
        expected = sum(chance for path, chance in inside.items() if path[token] == label) / total
        assert found[token, label].item() == pytest.approx(expected, abs=1e-6)
    assert tuple(own.best_labels(allowed).tolist()) in inside
    expected = sum(chance for path, chance in inside.items() if path[1:3] == (0, 0)) / total
    assert own.probabilities_of([LabelSequence(0, 1, (0, 0))], allowed)[0] == pytest.approx(expected, abs=1e-6)


def test_a_label_that_is_not_allowed_has_no_probability() -> None:
    own = random_outputs(1, [3])
    allowed = torch.ones(3, COUNT, dtype=torch.bool)
    allowed[1, 0] = False
    assert own.probabilities_of([LabelSequence(0, 1, (0,))], allowed)[0] < 1e-6


def test_parts_files_temperature_and_ensemble() -> None:
    own, other = random_outputs(1, [4, 1, 3]), random_outputs(2, [4, 1, 3])
    again = StretchOutputs.from_tensors(own.lengths, own.tensors())
    assert torch.equal(again.marginals(), own.marginals())
    assert torch.equal(own.of([2, 0]).marginals()[3:], own.marginals()[:4])
    flat = own.at(1e6).marginals()
    assert torch.allclose(flat, random_outputs(3, [4, 1, 3]).at(1e6).marginals(), atol=1e-4)
    assert torch.equal(own.mean_with([own, own]).best_labels(), own.best_labels())
    assert torch.allclose(own.mean_with([other]).scores, (own.scores + other.scores) / 2)


def test_many_sentences_of_all_lengths_are_each_by_itself() -> None:
    lengths = [1 + number % 7 for number in range(150)]
    own = random_outputs(5, lengths)
    marginals, best = torch.split(own.marginals(), lengths), torch.split(own.best_labels(), lengths)
    for number in (0, 33, 149):
        alone = own.of([number])
        assert torch.allclose(alone.marginals(), marginals[number], atol=1e-6)
        assert torch.equal(alone.best_labels(), best[number])
