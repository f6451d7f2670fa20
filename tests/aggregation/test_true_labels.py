from itertools import product

import numpy as np
import pytest

from tests.aggregation.test_sequence_model import ROWS, SIZE, paths, random_parameters, sources_of
from trustag.aggregation.sequence_model import log_emissions, messages
from trustag.aggregation.source_labels import labels_of
from trustag.aggregation.true_labels import Estimate, as_iobes, best_labels, legal_pairs, of_independent_tokens
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.spans import Span, read_spans

SOURCES, PARAMETERS = sources_of(ROWS), random_parameters(2, 5)
LABELS = SOURCES.labels.labels


def posterior() -> Estimate:
    expected = messages(SOURCES, log_emissions(SOURCES, PARAMETERS), PARAMETERS)
    return Estimate(expected.pairs.sum(1), expected.continuing)


def test_the_probability_of_a_span_is_that_of_all_sequences_that_have_it() -> None:
    estimate, found = posterior(), 0
    for first, length in zip(SOURCES.offsets, SOURCES.lengths, strict=False):
        for start, end, kind in product(range(length), range(length + 1), SOURCES.labels.types):
            if start < end:
                span, found = Span(start, end, kind), found + 1
                expected = sum(
                    weight
                    for own, path, weight in paths(SOURCES, PARAMETERS)
                    if own == first and span in read_spans([LABELS[label] for label in path])
                )
                # Exact from one token to the next; the chance to go on is that of B and of I, each by itself.
                assert estimate.span_probability(SOURCES.labels, first, span, length) == pytest.approx(expected)
    assert found > 20


def test_probabilities_in_iobes_are_those_of_all_sequences_written_so() -> None:
    labels, found = as_iobes(SOURCES, posterior())
    expected = np.zeros_like(found)
    for first, path, weight in paths(SOURCES, PARAMETERS):
        for step, label in enumerate(convert_labels([LABELS[label] for label in path], Scheme.IOBES)):
            assert label is not None
            expected[first + step, labels.index[label]] += weight
    assert found == pytest.approx(expected)


def test_the_best_labels_are_legal_and_the_best_of_all_legal_ones() -> None:
    estimate = posterior()
    best, legal = best_labels(SOURCES, estimate), legal_pairs(SIZE)
    for first, length in zip(SOURCES.offsets, SOURCES.lengths, strict=False):
        scores = {
            path: np.prod([estimate.probabilities[first + step, label] for step, label in enumerate(path)])
            for path in product(range(SIZE), repeat=length)
            if legal[(0, *path)[:-1], path].all()
        }
        assert tuple(best[first : first + length].tolist()) == max(scores, key=lambda path: scores[path])


def test_expected_entities_are_the_expected_first_tokens() -> None:
    expected = sum(
        weight * len(read_spans([LABELS[label] for label in path])) for _, path, weight in paths(SOURCES, PARAMETERS)
    )
    assert posterior().expected_entities == pytest.approx(expected)


def test_of_independent_tokens_an_entity_goes_on_by_chance() -> None:
    shares = np.full((len(SOURCES.indices), SIZE), 1 / SIZE)
    estimate = of_independent_tokens(SOURCES, shares)
    assert estimate.continuing[1, 1:] == pytest.approx(1 / SIZE**2)
    assert not estimate.continuing[SOURCES.is_first].any()
    assert len(list(labels_of(best_labels(SOURCES, estimate), SOURCES.labels, SOURCES.lengths))) == len(ROWS)
