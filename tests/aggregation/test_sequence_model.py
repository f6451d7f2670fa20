from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from trustag.aggregation.sequence_model import SequenceParameters, fit_sequences, log_emissions, messages
from trustag.aggregation.source_labels import Probabilities, SourceLabels, encode_sources
from trustag.aggregation.true_labels import inside_labels, legal_pairs
from trustag.text.labels import Label

TYPES = ("LOC", "PER")
SIZE = 5


def random_parameters(sources: int, seed: int) -> SequenceParameters:
    random = np.random.default_rng(seed)

    def shares(*shape: int) -> Probabilities:
        found = random.uniform(0.1, 1, shape)
        normal: Probabilities = found / found.sum(-1, keepdims=True)
        return normal

    transitions = shares(SIZE, SIZE) * legal_pairs(SIZE)
    start = shares(SIZE) * [1, 1, 0, 1, 0]
    return SequenceParameters(
        start / start.sum(),
        transitions / transitions.sum(-1, keepdims=True),
        shares(sources, 2, SIZE, SIZE),
        shares(sources, 2, 3, 3),
    )


def sources_of(rows: list[tuple[tuple[Label, ...], ...]]) -> SourceLabels:
    return encode_sources(["a", "b"], TYPES, rows)


ROWS: list[tuple[tuple[Label, ...], ...]] = [
    (("B-LOC", "I-LOC", "O", "B-PER"), ("O", "B-LOC", None, "B-LOC")),
    (("O",), ("B-PER",)),
    (("B-PER", None, "I-PER"), ("B-PER", "I-PER", "O")),
]


def joint_probability(
    sources: SourceLabels, parameters: SequenceParameters, first: int, path: tuple[int, ...]
) -> float:
    """Return the probability of true labels and given ones, straight from the definition."""
    positions, found, before = [0, 1, 2, 1, 2], 1.0, 0
    for step, label in enumerate(path):
        found *= parameters.transitions[before, label] if step else parameters.start[label]
        after_entity = int(step > 0 and before > 0)
        for source in range(len(sources.names)):
            given = sources.indices[first + step, source]
            own_before = sources.indices[first + step - 1, source] if step else 0
            if given < 0:
                continue
            if own_before > 0:
                found *= parameters.inside[source, after_entity, positions[label], positions[given]]
            else:
                found *= parameters.outside[source, after_entity, label, given]
        before = label
    return float(found)


def paths(sources: SourceLabels, parameters: SequenceParameters) -> Iterator[tuple[int, tuple[int, ...], float]]:
    """Yield every sequence of true labels of every sentence with its posterior probability."""
    for first, length in zip(sources.offsets, sources.lengths, strict=False):
        every = list(product(range(SIZE), repeat=length))
        weights = [joint_probability(sources, parameters, first, path) for path in every]
        for path, weight in zip(every, weights, strict=True):
            if weight:
                yield first, path, weight / sum(weights)


@pytest.mark.parametrize("seed", range(3))
def test_messages_give_what_the_sum_over_all_sequences_gives(seed: int) -> None:
    sources, parameters = sources_of(ROWS), random_parameters(2, seed)
    expected = messages(sources, log_emissions(sources, parameters), parameters)
    pairs, continuing = np.zeros((len(sources.indices), 2, SIZE)), np.zeros((len(sources.indices), SIZE))
    transitions = np.zeros((SIZE, SIZE))
    for first, path, weight in paths(sources, parameters):
        for step, label in enumerate(path):
            before = path[step - 1] if step else 0
            pairs[first + step, int(before > 0), label] += weight
            if step:
                transitions[before, label] += weight
                continuing[first + step, before] += weight * (before > 0 and label == inside_labels(SIZE)[before])
    assert expected.pairs == pytest.approx(pairs)
    assert expected.continuing == pytest.approx(continuing)
    assert expected.transitions == pytest.approx(transitions)


def test_the_log_likelihood_is_that_of_the_sum_over_all_sequences() -> None:
    sources, parameters = sources_of(ROWS), random_parameters(2, 7)
    found = messages(sources, log_emissions(sources, parameters), parameters).log_likelihood
    expected = sum(
        np.log(sum(joint_probability(sources, parameters, first, path) for path in product(range(SIZE), repeat=length)))
        for first, length in zip(sources.offsets, sources.lengths, strict=False)
    )
    assert found == pytest.approx(float(expected))


def test_the_order_of_the_sentences_does_not_matter() -> None:
    rows = ROWS * 5
    there, back = sources_of(rows), sources_of(rows[::-1])
    forth = fit_sequences(there)[1].probabilities
    turned = fit_sequences(back)[1].probabilities
    by_sentence = [turned[first : first + n] for first, n in zip(back.offsets, back.lengths, strict=False)]
    assert forth == pytest.approx(np.concatenate(by_sentence[::-1]))
