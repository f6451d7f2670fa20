"""The ranking is sound within a group of labels, and sets groups against each other by their noise rates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.issues.ranking import against, fitted_ranking

SHARES = st.lists(st.floats(0, 1), min_size=2, max_size=30)


@given(SHARES, st.floats(0.01, 0.9), st.floats(0.01, 0.9))
def test_less_believed_labels_are_never_less_wrong(shares: list[float], negative: float, positive: float) -> None:
    confidence = np.array(shares)
    labels = np.arange(len(shares)) % 2
    wrong = fitted_ranking(labels, confidence, None, (negative, positive)).how_wrong(confidence, None, labels > 0)
    assert ((wrong >= 0) & (wrong <= 1)).all()
    for group in (labels == 0, labels > 0):
        assert (np.diff(wrong[group][np.argsort(confidence[group])]) <= 1e-12).all()


def test_a_group_with_more_noise_is_doubted_more() -> None:
    confidence, labels = np.array([0.2, 0.6, 0.9] * 2), np.array([0, 0, 0, 1, 1, 1])
    low, high = (fitted_ranking(labels, confidence, None, (0.1, rate)) for rate in (0.05, 0.6))
    assert low.positive < high.positive
    assert low.negative == high.negative


def test_witnesses_and_rates_are_both_heard() -> None:
    odds = np.array([-1.0, 0.0, 2.0])
    confidence = 1 / (1 + np.exp(odds))
    ranking = fitted_ranking(np.zeros(3, dtype=int), confidence, None, (0.25, 0.5))
    as_the_rates_say = 1 / (1 + np.exp(-(odds + ranking.negative)))
    assert as_the_rates_say.mean() == pytest.approx(0.25)
    assert ranking.positive == 0.0  # no entity label to tell
    wrong = ranking.how_wrong(confidence, None, np.zeros(3, dtype=bool))
    assert ((as_the_rates_say < wrong) & (wrong < 1 - confidence)).all()


def test_rates_that_say_nothing_move_nothing() -> None:
    ranking = fitted_ranking(np.array([0, 1]), np.array([0.3, 0.4]), None, (0.0, 0.0))
    assert (ranking.negative, ranking.positive) == (0.0, 0.0)


def test_two_witnesses_count_alike() -> None:
    one, other = np.array([0.2, 0.7]), np.array([0.9, 0.4])
    assert against(one, other) == pytest.approx(against(other, one))
    assert against(one, one) == pytest.approx(against(one, None))


@given(SHARES, st.data())
def test_what_was_ruled_out_is_doubted_more_in_the_same_order(shares: list[float], data: st.DataObject) -> None:
    confidence, labels = np.array(shares), np.ones(len(shares), dtype=int)
    out = np.array(data.draw(st.lists(st.booleans(), min_size=len(shares), max_size=len(shares))))
    ranking = fitted_ranking(labels, confidence, None, (0.1, 0.2))
    before, after = (ranking.how_wrong(confidence, None, labels > 0, marks) for marks in (None, out))
    assert (after[~out] == before[~out]).all()
    assert 1 - after[out] == pytest.approx((1 - before[out]) / 10)


def test_rates_that_clean_sentences_show_are_heard_as_much_as_the_others() -> None:
    odds = np.array([-1.0, 0.0, 2.0, -2.0, 0.5, 1.0])
    confidence, labels = 1 / (1 + np.exp(odds)), np.array([0, 0, 0, 1, 1, 1])
    ranking = fitted_ranking(labels, confidence, None, (0.25, 0.1), (0.1, 0.6))
    assert ranking.clean is not None
    shifts = [(0.0, 0.0), (ranking.negative, ranking.positive), ranking.clean]
    views = [1 / (1 + np.exp(-(odds + np.where(labels > 0, positive, negative)))) for negative, positive in shifts]
    assert views[2][labels == 0].mean() == pytest.approx(0.1)
    assert views[2][labels > 0].mean() == pytest.approx(0.6)
    assert ranking.how_wrong(confidence, None, labels > 0) == pytest.approx(np.mean(views, axis=0))


def test_systematic_noise_that_clean_sentences_show_brings_its_labels_to_the_top() -> None:
    generator = np.random.default_rng(1)
    entity = generator.random(4000) < 0.2
    wrong = np.where(entity, generator.random(4000) < 0.5, generator.random(4000) < 0.02)
    odds = np.where(wrong, 0.5, -0.5) + generator.normal(0, 1, 4000)  # both groups look alike to the models
    confidence, labels = 1 / (1 + np.exp(odds)), entity.astype(int)
    estimated, known = (
        fitted_ranking(labels, confidence, None, (0.07, 0.12), clean).how_wrong(confidence, None, entity)
        for clean in (None, (0.02, 0.5))
    )
    first = int(wrong.sum())
    assert wrong[np.argsort(-known)[:first]].mean() > wrong[np.argsort(-estimated)[:first]].mean() + 0.05
