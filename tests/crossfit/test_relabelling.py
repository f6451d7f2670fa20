"""Relabelling: which labels may change, and that reviewed ones never do."""

import pytest
import torch

from tests.methods.confidence.made_up_batches import corpus_of
from tests.training.made_up_results import flat_chain, result_of
from trustag.crf.crf_outputs import CRFOutputs
from trustag.crossfit.folds import Folds, HiddenLabels
from trustag.crossfit.predictions import OutOfFoldPredictions
from trustag.crossfit.relabelling import fixed_labels, relabel
from trustag.crossfit.settings import Reannotate
from trustag.noise_rates.rates import NoiseRates
from trustag.text.label_sets import LabelSet

LABELS = LabelSet(("PER",), "BIES")
COUNT = len(LABELS)
SINGLE = LABELS.index["S-PER"]
AGAINST = torch.tensor([[9.0, 0, 0, 0, 0], [0, 0, 0, 0, 9.0]])
"""A model that is sure of ``O`` at the first token and of an entity at the second."""


@pytest.mark.parametrize(
    ("reannotate", "expected"),
    [
        ("outside", [False, True, True, False, True, True, True]),
        ("untrusted", [False, True, False, False, True, True, False]),
        ("all", [False] * 7),
    ],
)
def test_entity_labels_are_fixed_as_far_as_they_are_trusted(reannotate: Reannotate, expected: list[bool]) -> None:
    given = torch.tensor([0, 1, 4, -1, 4, 4, 4])
    trust = torch.tensor([0.1, 0.9, 0.2, 0.5, 0.8, 0.7, 0.6])
    assert fixed_labels(given, trust, LABELS, NoiseRates(0.3, 0.4), reannotate).tolist() == expected


def predictions_of(reviewed: list[list[bool]], hidden: list[bool] | None = None) -> OutOfFoldPredictions:
    """Two sentences whose models are sure of the very opposite of their labels."""
    corpus = corpus_of([[SINGLE, 0], [0, SINGLE]], reviewed=reviewed, labels=LABELS)
    results = [result_of(CRFOutputs([2], own, flat_chain(COUNT))) for own in (AGAINST, AGAINST.flip(0))]
    as_outside = torch.tensor(hidden or [False] * 4)
    return OutOfFoldPredictions(corpus, Folds([[0], [1]], HiddenLabels(as_outside, as_outside & False)), results)


@pytest.mark.parametrize("reannotate", ["outside", "untrusted", "all"])
def test_relabelling_goes_through_reviewed_labels(reannotate: Reannotate) -> None:
    predictions = predictions_of([[True, False], [True, False]])
    found = relabel(predictions, predictions.statistics(0.5), NoiseRates(0.9, 0.9), reannotate)
    assert found.label_ids[[0, 2]].tolist() == found.suggested[[0, 2]].tolist() == [SINGLE, 0]
    assert found.fixed[[0, 2]].all()
    # The weights of the final training are exactly the given label.
    assert found.probabilities[[0, 2]].tolist() == torch.eye(COUNT)[[SINGLE, 0]].tolist()
    assert found.suggested[1].item() == SINGLE  # the others are predicted as ever


def test_fixed_labels_stay_and_suggestions_ignore_them() -> None:
    predictions = predictions_of([[False] * 2] * 2)
    statistics = predictions.statistics(0.5)
    found = relabel(predictions, statistics, NoiseRates(0.0, 0.0), "outside")
    assert found.statistics is statistics
    assert found.fixed.tolist() == [True, False, False, True]
    assert found.label_ids.tolist() == [SINGLE, SINGLE, SINGLE, SINGLE]
    assert found.suggested.tolist() == [0, SINGLE, SINGLE, 0]
    torch.testing.assert_close(found.probabilities.sum(1), torch.ones(4))
    assert found.probabilities[0, SINGLE] == 1


def test_hidden_labels_are_free_and_the_others_are_trusted_the_more() -> None:
    # Of two entity labels one is wrong; it is the hidden one, so the other stays.
    predictions = predictions_of([[False] * 2] * 2, hidden=[True, False, False, False])
    found = relabel(predictions, predictions.statistics(0.5), NoiseRates(0.0, 0.5), "untrusted")
    assert found.fixed.tolist() == [False, False, False, True]
    assert found.label_ids.tolist() == [0, SINGLE, SINGLE, SINGLE]
