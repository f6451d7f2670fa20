"""Draws of sentences: whole ones, as many as there are, spread as sampling with replacement spreads them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.text.resampling import Resampling, shares

DRAWS = 200

SENTENCES = st.lists(st.lists(st.floats(0, 5), max_size=4), min_size=1, max_size=12)


@given(SENTENCES, st.integers(0, 5))
def test_the_first_total_is_that_of_the_sentences_and_the_others_of_whole_sentences_drawn(
    sentences: list[list[float]], seed: int
) -> None:
    resampling = Resampling([len(row) for row in sentences], DRAWS, seed, "sentences")
    tokens = np.array([value for row in sentences for value in row], dtype=float)
    totals = resampling.totals(tokens)
    assert len(totals) == 1 + DRAWS
    assert totals[0] == pytest.approx(sum(map(sum, sentences)))
    # How often each sentence was drawn tells every other total: sentences are drawn whole, and as many as there are.
    drawn = []
    for number, row in enumerate(sentences):
        own = [number == other for other, others in enumerate(sentences) for _ in others]
        drawn.append(resampling.totals(np.array(own, dtype=bool)) / len(row) if row else np.zeros(1 + DRAWS))
    weights = np.stack(drawn)
    assert np.array_equal(weights, weights.round())
    if all(sentences):
        assert (weights.sum(0) == len(sentences)).all()
    assert totals == pytest.approx(np.array([sum(row) for row in sentences]) @ weights)


def test_draws_spread_as_sampling_sentences_with_replacement_does() -> None:
    rng = np.random.default_rng(1)
    per_sentence = rng.integers(0, 10, size=150)  # every sentence is a group of its own
    totals = Resampling([1] * 150, DRAWS, 3, "sentences").totals(per_sentence.astype(float))[1:]
    deviation = float(np.sqrt(((per_sentence - per_sentence.mean()) ** 2).sum()))
    assert totals.mean() == pytest.approx(per_sentence.sum(), abs=4 * deviation / np.sqrt(DRAWS))
    assert totals.std() == pytest.approx(deviation, rel=0.2)


def test_many_sentences_are_drawn_in_groups_of_equal_size() -> None:
    totals = Resampling([2] * 1000, DRAWS, 1, "sentences").totals(np.ones(2000))
    assert (totals == 2000).all()
    assert (Resampling([], DRAWS, 1, "sentences").totals(np.zeros(0)) == 0).all()


def test_purposes_and_seeds_draw_independently() -> None:
    values = np.arange(50.0)
    totals = [Resampling([1] * 50, DRAWS, *own).totals(values) for own in ((1, "a"), (1, "b"), (2, "a"), (1, "a"))]
    assert [np.array_equal(totals[0], other) for other in totals] == [True, False, False, True]


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=20))
def test_a_share_is_an_exact_ratio_and_nothing_of_nothing_is_zero(pairs: list[tuple[int, int]]) -> None:
    found = shares(np.array([part for part, _ in pairs], dtype=float), np.array([whole for _, whole in pairs]))
    assert found.tolist() == [float(Fraction(part, whole)) if whole else 0.0 for part, whole in pairs]
