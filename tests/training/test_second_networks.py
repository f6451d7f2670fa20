"""Networks beside the one that is trained: alike but for their weights, and restored as they were."""

import torch

from tests.training.small import noisy_corpus, small_network, small_recipe, small_task
from trustag.training.second_networks import network_state, restore_network, second_network


def test_it_is_built_alike_from_its_own_seed_and_draws_nothing_from_the_training() -> None:
    task = small_task(small_recipe(), noisy_corpus(6))
    own = small_network(task.corpus.labels, task.corpus.tokens)
    torch.manual_seed(4)
    expected = torch.rand(3)
    torch.manual_seed(4)
    one, same, other = (second_network(task.network, task.corpus, own, seed) for seed in (1, 1, 2))
    assert torch.equal(torch.rand(3), expected)
    shapes = {name: weight.shape for name, weight in own.state_dict().items()}
    assert {name: weight.shape for name, weight in one.state_dict().items()} == shapes
    weight = "head.projection.weight"
    assert torch.equal(one.state_dict()[weight], same.state_dict()[weight])
    assert not torch.equal(one.state_dict()[weight], other.state_dict()[weight])


def test_a_checkpoint_gives_the_weights_back() -> None:
    task = small_task(small_recipe(), noisy_corpus(6))
    own = small_network(task.corpus.labels, task.corpus.tokens)
    one, other = (second_network(task.network, task.corpus, own, seed) for seed in (1, 2))
    state = {**network_state(one, "peer."), "something else": torch.zeros(1)}
    restore_network(other, "peer.", state)
    for name, weight in one.state_dict().items():
        assert torch.equal(other.state_dict()[name], weight)
