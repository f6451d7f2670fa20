import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crf.batches import batches
from tests.crf.checked import log_partition
from tests.crf.enumeration import Batch, all_paths, assert_near, each_sentence, log_sum_exp
from trustag.crf import Chain, mean_chain
from trustag.crf.chain import check_batch

many = settings(max_examples=25)


@many
@given(batches(), st.floats(0.1, 10.0))
def test_a_temperature_divides_the_score_of_every_path(batch: Batch, temperature: float) -> None:
    found = log_partition(batch.emissions / temperature, batch.chain.at(temperature), batch.mask)
    assert_near(found, torch.stack([log_sum_exp(paths.scores / temperature) for paths in each_sentence(batch)]))


@many
@given(batches(), st.floats(0.1, 10.0))
def test_a_temperature_forbids_and_permits_nothing(batch: Batch, temperature: float) -> None:
    cooled = batch.chain.at(temperature)
    assert torch.equal(cooled.transitions.isneginf(), batch.chain.transitions.isneginf())
    assert torch.equal(cooled.start.isneginf(), batch.chain.start.isneginf())
    assert torch.equal(cooled.end.isneginf(), batch.chain.end.isneginf())


@many
@given(batches(forbid=False), st.lists(st.floats(-3.0, 3.0), min_size=1, max_size=4))
def test_the_mean_chain_gives_every_path_its_mean_score(batch: Batch, factors: list[float]) -> None:
    chain = batch.chain
    chains = [Chain(chain.transitions * by, chain.start * by, chain.end * by) for by in factors]
    averaged = all_paths(Batch(batch.emissions, mean_chain(chains), batch.mask, batch.allowed), 0)
    single = [all_paths(Batch(batch.emissions, one, batch.mask, batch.allowed), 0).scores for one in chains]
    assert_near(averaged.scores, torch.stack(single).mean(0))


@many
@given(batches())
def test_a_batch_is_ragged_if_it_is_padded(batch: Batch) -> None:
    ragged = check_batch(batch.emissions, batch.chain, batch.mask, batch.allowed)
    assert ragged == (len(set(batch.lengths)) > 1)


def test_another_precision_is_detached() -> None:
    chain = Chain(torch.zeros(2, 2, requires_grad=True), torch.zeros(2), torch.zeros(2)).to(torch.float64)
    assert chain.transitions.dtype == chain.start.dtype == chain.end.dtype == torch.float64
    assert not chain.transitions.requires_grad


@pytest.mark.parametrize(
    "shapes", [((3, 3), (2,), (3,)), ((3, 3), (3,), (2,)), ((3, 2), (3,), (3,)), ((3,), (3,), (3,))]
)
def test_a_chain_has_as_many_starts_and_ends_as_labels(shapes: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(ValueError, match=r"need start and end of one dimension and equal size"):
        Chain(*(torch.zeros(shape) for shape in shapes))
