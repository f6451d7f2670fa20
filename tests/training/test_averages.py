"""The moving average of weights, against the same average written out in numbers."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from trustag.training.averages import WeightAverage

VALUES = st.lists(st.floats(-10, 10), min_size=1, max_size=30)


class Words(nn.Module):
    """A word table, whose rows are not averaged, and one other weight."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Module()
        self.table.rows = nn.Parameter(torch.zeros(2))
        self.weight = nn.Parameter(torch.zeros(1, dtype=torch.float64))

    def become(self, value: float) -> None:
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.fill_(value)


def followed(network: Words, values: list[float], decay: float) -> WeightAverage:
    average = WeightAverage(network, decay)
    for value in values:
        network.become(value)
        average.update()
    return average


@given(VALUES, st.floats(0.01, 0.999))
def test_the_average_forgets_early_weights_faster(values: list[float], decay: float) -> None:
    network = Words()
    average = followed(network, values, decay)
    expected = 0.0
    for number, value in enumerate(values, start=1):
        own = min(decay, number / (number + 10))
        expected = own * expected + (1 - own) * value
    assert average.averages["weight"].item() == pytest.approx(expected, abs=1e-9)
    assert average.updates == len(values)


def test_the_network_has_its_own_weights_again_even_after_an_error() -> None:
    network = Words()
    average = followed(network, [1.0, 3.0], 0.5)

    def fail() -> None:
        with average.in_place():
            assert network.weight.item() == average.averages["weight"].item() != 3.0
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fail()
    assert network.weight.item() == 3.0


def test_word_vectors_are_left_as_they_are() -> None:
    network = Words()
    average = followed(network, [1.0, 3.0], 0.5)
    assert list(average.averages) == ["weight"]
    with average.in_place():
        assert network.get_parameter("table.rows").tolist() == [3.0, 3.0]


def test_without_decay_the_weights_are_their_own_average() -> None:
    network = Words()
    average = followed(network, [1.0, 3.0], 0.0)
    assert (average.averages, average.updates) == ({}, 0)
    with average.in_place():
        assert network.weight.item() == 3.0


def test_peers_have_averages_of_their_own_which_come_and_go_with_those_of_the_network() -> None:
    network, peer = Words(), Words()
    average = WeightAverage(network, 0.5, [peer])
    for value in (1.0, 2.0, 3.0):
        network.become(value)
        peer.become(10 * value)
        average.update()
    assert average.averages.keys() == {"weight", "peer-1.weight"}
    alone = followed(Words(), [1.0, 2.0, 3.0], 0.5).averages["weight"]
    with average.in_place():
        assert network.weight.item() == pytest.approx(alone.item())
        assert peer.weight.item() == pytest.approx(10 * alone.item())
        assert peer.get_parameter("table.rows").tolist() == [30.0, 30.0]
    assert (network.weight.item(), peer.weight.item()) == (3.0, 30.0)
