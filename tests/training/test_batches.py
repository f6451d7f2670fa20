"""Every sentence is seen once an epoch, in an order that depends on seed and epoch alone."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.training.batches import Batches, draw_batches, suited_size

LENGTHS = st.lists(st.integers(1, 50), min_size=1, max_size=60)
KINDS: st.SearchStrategy[Batches] = st.sampled_from(["bucketed", "shuffled", "fixed"])


@given(LENGTHS, st.integers(1, 10), KINDS, st.integers(0, 3), st.integers(0, 3))
def test_every_sentence_is_in_exactly_one_batch(
    lengths: list[int], size: int, kind: Batches, seed: int, epoch: int
) -> None:
    batches = draw_batches(lengths, size, kind, seed, epoch)
    assert sorted(sentence for batch in batches for sentence in batch) == list(range(len(lengths)))
    assert sum(len(batch) < size for batch in batches) <= 1
    assert batches == draw_batches(lengths, size, kind, seed, epoch)


@given(LENGTHS, st.integers(2, 10))
def test_fixed_batches_change_their_order_only(lengths: list[int], size: int) -> None:
    first, second = (draw_batches(lengths, size, "fixed", 1, epoch) for epoch in (0, 1))
    assert sorted(first) == sorted(second)


def test_buckets_hold_sentences_of_similar_length() -> None:
    lengths = [1, 50] * 100
    for batch in draw_batches(lengths, 10, "bucketed", 1, 0):
        assert len({lengths[sentence] for sentence in batch}) == 1


def test_epochs_and_seeds_differ() -> None:
    lengths = [7] * 50
    drawn = [draw_batches(lengths, 5, "shuffled", seed, epoch) for seed, epoch in ((1, 0), (1, 1), (2, 0))]
    assert len({str(batches) for batches in drawn}) == 3


@given(st.lists(st.integers(1, 4000), min_size=1, max_size=60), st.integers(1, 8), st.integers(0, 3))
def test_a_bucket_is_never_nearly_all_padding(lengths: list[int], size: int, epoch: int) -> None:
    batches = draw_batches(lengths, size, "bucketed", 1, epoch)
    assert sorted(sentence for batch in batches for sentence in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) <= size
        padded = len(batch) * max(lengths[sentence] for sentence in batch)
        # Lengths are only nearly in order, two tokens apart at most.
        assert len(batch) == 1 or padded <= 1024 * size + 2 * len(batch)


@given(LENGTHS, st.integers(1, 40), st.integers(1, 5000))
def test_a_step_holds_as_many_sentences_as_its_tokens_allow(lengths: list[int], size: int, tokens: int) -> None:
    found = suited_size(size, lengths, tokens)
    mean = sum(lengths) / len(lengths)
    assert 1 <= found <= size
    assert found == 1 or found * mean <= tokens
    assert found == size or (found + 1) * mean > tokens
