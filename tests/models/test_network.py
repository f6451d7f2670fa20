"""The chain of a fresh network: alike, drawn, or none."""

import pytest
import torch

from trustag.models.network import Network


def network(labels: int = 40, **options: bool) -> Network:
    torch.manual_seed(1)
    return Network(torch.nn.Identity(), 3, labels, **options)


def test_by_default_every_label_path_starts_alike() -> None:
    chain = network().chain
    assert not any(part.any() for part in (chain.transitions, chain.start, chain.end))


def test_a_drawn_chain_is_normally_spread() -> None:
    chain = network(drawn_chain=True).chain
    assert chain.transitions.mean().item() == pytest.approx(0, abs=0.1)
    assert chain.transitions.std().item() == pytest.approx(1, abs=0.1)
    assert chain.start.std().item() > 0.5
    assert chain.end.std().item() > 0.5


def test_without_a_chain_there_is_nothing_to_draw() -> None:
    bare = network(with_chain=False, drawn_chain=True)
    assert not bare.transitions.any()
    assert not bare.transitions.requires_grad
