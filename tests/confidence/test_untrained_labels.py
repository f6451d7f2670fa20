"""Untrained labels: drawn once, as wide as torch draws a fresh layer, and no gradient reaches them."""

import torch

from trustag.confidence.untrained_labels import UNTRAINED_LABELS, untrained_logits


def test_untrained_logits_stay_as_drawn_and_train_nothing() -> None:
    features = torch.randn(2, 3, 16, requires_grad=True)
    scores = untrained_logits(features, seed=1)
    assert scores.shape == (2, 3, UNTRAINED_LABELS)
    assert not scores.requires_grad
    assert torch.equal(scores, untrained_logits(features, seed=1))
    assert not torch.equal(scores, untrained_logits(features, seed=2))
    bias = untrained_logits(torch.zeros(1, 1, 16), seed=1)
    each = untrained_logits(torch.eye(16)[None], seed=1) - bias
    assert max(bias.abs().max(), each.abs().max()) <= 1 / 4 + 1e-6  # torch spreads a fresh layer over 1 / sqrt(width)
