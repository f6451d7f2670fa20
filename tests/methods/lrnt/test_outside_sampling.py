"""Sampled ``O`` labels: scores by their definition, how often each is drawn, and the loss under certain labels."""

import math
from collections import Counter
from itertools import permutations

import pytest
import torch

from tests.methods.test_laws import corpus
from tests.training.small import small_network, small_recipe, small_task
from trustag.crf import one_hot_mask
from trustag.data.encoded_corpus import NO_LABEL, pad_labels
from trustag.methods.lrnt.outside_sampling import SampledOutside, outside_scores, sampled_outside
from trustag.methods.lrnt.settings import LRNTSettings
from trustag.training.objectives import Batch, GivenLabels
from trustag.training.schedule import FitSchedule

TASK = small_task(small_recipe(), corpus())
OWN = TASK.corpus
SCHEDULE = FitSchedule(seed=3, epochs=8, patience=4, batch_size=4, nominal_epochs=4)


def test_scores_are_log_frequencies_less_ten_for_words_of_entities() -> None:
    names = {
        OWN.tokens[row][token] for row, labels in enumerate(OWN.rows) for token, label in enumerate(labels) if label > 0
    }
    scores = outside_scores(OWN).tolist()
    for row, tokens in enumerate(OWN.tokens):
        for token, word in enumerate(tokens):
            documents = sum(word in other for other in OWN.tokens) / len(OWN)
            share = tokens.count(word) / len(tokens)
            expected = math.log(documents) + math.log(share) - 10 * (word in names)
            assert scores[OWN.offsets[row] + token] == pytest.approx(expected, abs=1e-5)


def test_as_many_are_drawn_as_the_ratio_says_and_only_outside_labels() -> None:
    draw = torch.Generator().manual_seed(1)
    for ratio in (0.0, 0.5, 0.9, 1.0):
        drawn = sampled_outside(OWN, outside_scores(OWN), ratio, draw)
        assert not drawn[OWN.label_ids != 0].any()
        for labels, own in zip(OWN.rows, torch.split(drawn, OWN.lengths), strict=True):
            assert int(own.sum()) == math.floor(ratio * int((labels == 0).sum()) + 1e-9)


def test_drawing_is_without_replacement_by_the_softmax_of_the_scores() -> None:
    """Two of three tokens: the probability of each pair is the sum over the two orders of drawing it."""
    alone = OWN.subset([5])
    labels = torch.full_like(alone.label_ids, NO_LABEL)
    labels[:3] = 0
    alone = alone.with_labels(labels)
    scores = torch.zeros(len(labels))
    scores[:3] = torch.tensor([1.0, 0.0, -1.0])
    weights = scores[:3].softmax(0).tolist()
    expected: Counter[frozenset[int]] = Counter()
    for first, second in permutations(range(3), 2):
        expected[frozenset((first, second))] += weights[first] * weights[second] / (1 - weights[first])
    draw = torch.Generator().manual_seed(7)
    seen: Counter[frozenset[int]] = Counter()
    for _ in range(3000):
        seen[frozenset(sampled_outside(alone, scores, 0.7, draw).nonzero().flatten().tolist())] += 1
    for pair, probability in expected.items():
        assert seen[pair] / 3000 == pytest.approx(probability, abs=0.03)


def batch() -> Batch:
    network = small_network(OWN.labels, OWN.tokens).eval()
    labels, mask = pad_labels(OWN.rows)
    outputs = network.outputs(network.collate(OWN.tokens), mask)
    return Batch(list(range(len(OWN))), labels, network.collate(OWN.tokens), outputs, lambda: outputs)


def test_labels_that_were_not_drawn_may_be_anything_and_reviewed_ones_are_certain() -> None:
    network = small_network(OWN.labels, OWN.tokens)
    objective = SampledOutside(LRNTSettings(outside_ratio=0.5)).build(OWN, network, SCHEDULE)
    objective.begin_epoch(0)
    certain = torch.cat(list(objective.certain))
    assert certain[OWN.reviewed].all()
    assert certain[OWN.label_ids > 0].all()
    assert not certain[OWN.label_ids == NO_LABEL].any()
    assert not certain[OWN.label_ids == 0].all()
    own = batch()
    allowed = torch.ones(*own.mask.shape, len(OWN.labels), dtype=torch.bool)
    known = one_hot_mask(OWN.label_ids, len(OWN.labels))
    allowed[own.mask] = torch.where(certain[:, None], known, True)
    assert torch.allclose(objective(own), own.label_outputs.loss(allowed))


def test_with_all_outside_labels_it_is_the_plain_crf() -> None:
    network = small_network(OWN.labels, OWN.tokens)
    objective = SampledOutside(LRNTSettings(outside_ratio=1.0)).build(OWN, network, SCHEDULE)
    objective.begin_epoch(0)
    plain = GivenLabels().build(OWN, network, SCHEDULE)
    assert torch.equal(objective(batch()), plain(batch()))


def test_labels_are_drawn_anew_after_so_many_epochs() -> None:
    network = small_network(OWN.labels, OWN.tokens)
    objective = SampledOutside(LRNTSettings(outside_ratio=0.5, redraw_epochs=2)).build(OWN, network, SCHEDULE)
    drawings = []
    for epoch in range(8):
        objective.begin_epoch(epoch)
        drawings.append(tuple(torch.cat(list(objective.certain)).tolist()))
    assert len(set(drawings[:4])) == len(set(drawings[4:])) == 1
    assert drawings[0] != drawings[4]
