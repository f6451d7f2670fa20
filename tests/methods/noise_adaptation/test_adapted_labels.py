"""The objective against its defining sums, what it records, and what it recovers."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import nn

from tests.methods.noise_adaptation.random_batches import (
    COUNT,
    LABELS,
    SCHEDULE,
    WIDTH,
    batch_of,
    random_corpus,
    random_layer,
    slow_matrix,
    softmax,
)
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.methods.noise_adaptation.adapted_labels import AdaptedLabels, AdaptedLabelsObjective
from trustag.methods.noise_adaptation.confusion_layer import ConfusionLayer, counted_start, identity_start
from trustag.methods.noise_adaptation.settings import NoiseAdaptationSettings
from trustag.models.crf_head import SoftmaxHead
from trustag.models.network import Network
from trustag.models.tensor_files import save_tensors
from trustag.training.objectives import GivenLabels


@pytest.mark.parametrize("width", [0, WIDTH])
@pytest.mark.parametrize("anchor", [0.0, 0.3])
def test_loss_is_the_sum_over_clean_labels(width: int, anchor: float) -> None:
    corpus, layer = random_corpus(), random_layer(width)
    objective = AdaptedLabelsObjective(corpus, layer, anchor, frozen_epochs=0)
    torch.manual_seed(5)
    head = SoftmaxHead(LABELS, WIDTH)
    sentences = [2, 0]
    batch = batch_of(corpus, sentences, torch.randn(2, 6, WIDTH), head)
    expected = []
    for place, sentence in enumerate(sentences):
        total = 0.0
        for token in range(corpus.lengths[sentence]):
            index = corpus.offsets[sentence] + token
            given = int(corpus.label_ids[index])
            if given == NO_LABEL:
                continue
            clean = softmax(batch.label_outputs.logits[place, token].tolist())
            theta = slow_matrix(layer, batch.outputs.features[place, token].tolist())
            noisy = sum(clean[label] * theta[label][given] for label in range(COUNT))
            total -= math.log(clean[given] if bool(corpus.is_reviewed[index]) else noisy)
            total -= anchor * sum(theta[label][label] for label in range(COUNT))
        expected.append(total)
    losses = objective(batch)
    assert losses.shape == (2,)
    assert losses.tolist() == pytest.approx(expected, rel=1e-5)


def test_identity_start_without_spread_is_cross_entropy() -> None:
    corpus = random_corpus()
    corpus = replace(corpus, is_reviewed=torch.zeros_like(corpus.is_reviewed))
    torch.manual_seed(2)
    head = SoftmaxHead(LABELS, WIDTH)
    batch = batch_of(corpus, [0, 1, 2], torch.randn(3, 6, WIDTH), head)
    objective = AdaptedLabelsObjective(corpus, ConfusionLayer(identity_start(COUNT, 0.0)), 0.0, frozen_epochs=0)
    plain = GivenLabels().build(corpus, Network(nn.Identity(), head), SCHEDULE)
    assert torch.allclose(objective(batch), plain(batch).float(), rtol=1e-5)


def test_matrix_is_frozen_first_and_recorded_every_epoch() -> None:
    corpus = random_corpus()
    head = SoftmaxHead(LABELS, WIDTH)
    encoder = nn.Linear(1, 1)
    encoder.width = WIDTH  # type: ignore[assignment]
    settings = NoiseAdaptationSettings(layer="feature", frozen_epochs=2)
    stretched = replace(SCHEDULE, epochs=8)
    objective = AdaptedLabels(identity_start(COUNT, 0.1), settings).build(corpus, Network(encoder, head), stretched)
    frozen = []
    for epoch in range(6):
        objective.begin_epoch(epoch)
        frozen.append(not any(weight.requires_grad for weight in objective.parameters()))
        features = torch.randn(3, 6, WIDTH)
        objective(batch_of(corpus, [0, 1, 2], features, head))
        facts = objective.end_epoch(epoch)
    assert frozen == [True] * 4 + [False] * 2
    assert facts.keys() == {"unchanged_negative", "unchanged_positive"}
    matrices = objective.record(5)["matrices"]
    assert matrices.shape == (5, COUNT, COUNT)
    assert torch.allclose(matrices[-1], identity_start(COUNT, 0.1), atol=1e-6)  # nothing was learned


def test_feature_layer_records_the_mean_matrix_of_the_tokens() -> None:
    corpus, layer = random_corpus(), random_layer(WIDTH)
    objective = AdaptedLabelsObjective(corpus, layer, 0.0, frozen_epochs=0)
    head = SoftmaxHead(LABELS, WIDTH)
    batch = batch_of(corpus, [0], torch.randn(1, 4, WIDTH), head)
    objective(batch)
    objective.end_epoch(0)
    noisy = [0, 3]  # the second label is unknown, the third one reviewed
    clean = batch.label_outputs.logits.softmax(-1)[0, noisy]
    theta = torch.tensor([slow_matrix(layer, batch.outputs.features[0, token].tolist()) for token in noisy])
    expected = (clean[:, :, None] * theta).sum(0) / clean.sum(0)[:, None]
    assert torch.allclose(objective.record(1)["matrices"][0], expected, atol=1e-5)


@pytest.mark.parametrize("width", [0, COUNT])
def test_recovers_a_known_confusion_matrix(width: int) -> None:
    """Half of the labels are clean; without any, the tagger could imitate the noise and leave the identity."""
    torch.manual_seed(1)
    truth = torch.tensor(
        [
            [0.9, 0.0, 0.0, 0.0, 0.1],
            [0.4, 0.6, 0.0, 0.0, 0.0],
            [0.0, 0.2, 0.8, 0.0, 0.0],
            [0.3, 0.0, 0.0, 0.7, 0.0],
            [0.0, 0.0, 0.0, 0.4, 0.6],
        ]
    )
    clean = torch.randint(COUNT, (600,))
    is_reviewed = torch.arange(600) < 300
    given = torch.where(is_reviewed, clean, torch.multinomial(truth[clean], 1).squeeze(1))
    corpus = EncodedCorpus((("word",) * 600,), LABELS, given, None, is_reviewed)
    features = nn.functional.one_hot(clean, COUNT).float()[None]
    head = SoftmaxHead(LABELS, COUNT)
    objective = AdaptedLabelsObjective(corpus, ConfusionLayer(identity_start(COUNT, 0.5), width), 0.0, 0)
    optimizer = torch.optim.Adam([*head.parameters(), *objective.parameters()], lr=0.1)
    for epoch in range(2):
        for _ in range(150):
            optimizer.zero_grad()
            objective(batch_of(corpus, [0], features, head)).mean().backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        objective.end_epoch(epoch)
    drawn = counted_start(clean[~is_reviewed], given[~is_reviewed], truth)
    assert float((objective.record(2)["matrices"][1] - drawn).abs().max()) < 0.03
    assert torch.equal(head.scores(features, torch.ones(features.shape[:2], dtype=torch.bool)).argmax(-1)[0], clean)


@pytest.mark.parametrize("layer", ["global", "feature"])
def test_state_of_a_first_epoch_is_restored(tmp_path: Path, layer: str) -> None:
    corpus = random_corpus()
    width = WIDTH if layer == "feature" else 0
    objective = AdaptedLabelsObjective(corpus, random_layer(width), 0.0, 0)
    head = SoftmaxHead(LABELS, WIDTH)
    objective(batch_of(corpus, [0, 2], torch.randn(2, 6, WIDTH), head))
    save_tensors(objective.state(), tmp_path / "state")
    other = AdaptedLabelsObjective(corpus, random_layer(width, seed=9), 0.0, 0)
    other.restore(load_file(tmp_path / "state"))
    assert other.end_epoch(0) == objective.end_epoch(0)
    assert torch.equal(other.record(1)["matrices"], objective.record(1)["matrices"])
    assert all(map(torch.equal, other.parameters(), objective.parameters()))
