"""Confusion matrices: gradients, posteriors, and where they start."""

import pytest
import torch
from torch import Tensor

from tests.methods.noise_adaptation.random_batches import COUNT, WIDTH, random_corpus, random_layer
from trustag.data.encoded_corpus import NO_LABEL
from trustag.methods.noise_adaptation.confusion_layer import (
    ConfusionLayer,
    clean_posterior,
    counted_start,
    identity_start,
    noisy_log_likelihood,
)


@pytest.mark.parametrize("width", [0, WIDTH])
def test_gradients(width: int) -> None:
    layer = random_layer(width).double()
    draw = torch.Generator().manual_seed(7)
    logits = torch.randn(2, COUNT, generator=draw, dtype=torch.double, requires_grad=True)
    features = torch.randn(2, WIDTH, generator=draw, dtype=torch.double, requires_grad=width > 0)
    noisy = torch.tensor([0, 3])
    own = {name: weight.detach().requires_grad_() for name, weight in layer.named_parameters()}

    def value(logits: Tensor, features: Tensor, *weights: Tensor) -> Tensor:
        named = dict(zip(own, weights, strict=True))
        log_confusion = torch.func.functional_call(layer, named, (features,))
        return noisy_log_likelihood(logits.log_softmax(-1), log_confusion, noisy)

    assert torch.autograd.gradcheck(value, (logits, features, *own.values()))


def test_identity_start_spreads_epsilon() -> None:
    start = identity_start(4, 0.1)
    assert torch.allclose(start.sum(1), torch.ones(4))
    assert torch.allclose(start.diagonal(), torch.full((4,), 0.925))
    assert torch.allclose(ConfusionLayer(start)(torch.empty(1, 0)).exp()[0], start, atol=1e-6)


def test_counted_start_counts_known_pairs_row_by_row() -> None:
    otherwise = identity_start(3, 0.3)
    clean = torch.tensor([0, 0, 0, 0, 1, NO_LABEL, 2, 3])
    noisy = torch.tensor([0, 0, 0, 1, 1, 1, NO_LABEL, 0])
    found = counted_start(clean, noisy, otherwise)
    assert torch.allclose(
        found, torch.stack([torch.tensor([0.75, 0.25, 0.0]), torch.tensor([0.0, 1, 0]), otherwise[2]])
    )


def test_posterior_weighs_clean_labels_by_the_matrix() -> None:
    corpus = random_corpus()
    draw = torch.Generator().manual_seed(1)
    clean = torch.rand(len(corpus.label_ids), COUNT, generator=draw).softmax(-1)
    matrix = torch.rand(COUNT, COUNT, generator=draw).softmax(-1)
    posterior = clean_posterior(clean, matrix, corpus)
    for token, given in enumerate(corpus.label_ids.tolist()):
        if given == NO_LABEL:
            expected = clean[token].tolist()
        elif corpus.is_reviewed[token]:
            expected = [float(label == given) for label in range(COUNT)]
        else:
            products = [float(clean[token, label] * matrix[label, given]) for label in range(COUNT)]
            expected = [product / sum(products) for product in products]
        assert posterior[token].tolist() == pytest.approx(expected, rel=1e-5)


def test_a_random_layer_is_the_same_for_the_same_seed_and_draws_nothing_from_the_training() -> None:
    matrices = []
    torch.manual_seed(4)
    expected = torch.rand(2)
    torch.manual_seed(4)
    for seed in (1, 1, 2):
        layer = ConfusionLayer(identity_start(COUNT, 0.1), WIDTH)
        layer.randomise(seed)
        assert layer.weight is not None
        assert layer.weight.abs().max().item() <= WIDTH**-0.5
        matrices.append(layer(torch.ones(1, WIDTH)))
    assert torch.equal(torch.rand(2), expected)
    assert torch.equal(matrices[0], matrices[1])
    assert not torch.equal(matrices[0], matrices[2])
    assert torch.allclose(matrices[0].exp().sum(-1), torch.ones(1, COUNT))
