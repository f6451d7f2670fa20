"""Noise by kind: every wrong label is of one kind, and the kinds are those that another count of the package has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.noise.measures import measure_noise
from trustag.noise_rates.estimates import Rate
from trustag.noise_rates.kinds import KINDS, WRONG_ENTITY_LABELS, kind_marks, kind_rates
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence

LABELS = LabelSet.of(("LOC", "PER"))
PAIRS = st.lists(st.tuples(st.integers(-1, 8), st.integers(-1, 9)), min_size=1, max_size=30)


def exact(marked: np.ndarray, chosen: np.ndarray) -> Rate:
    share = float(marked.sum() / max(1, chosen.sum()))
    return Rate(share, share, share)


@given(PAIRS)
def test_every_wrong_label_is_of_one_kind_and_right_ones_of_none(pairs: list[tuple[int, int]]) -> None:
    noisy, clean = (np.array(side) for side in zip(*pairs, strict=True))
    marks = kind_marks(noisy, clean, LABELS)
    wrong = (noisy >= 0) & (clean >= 0) & (noisy != clean)
    assert np.array_equal(sum(own.astype(int) for own in marks.values()), wrong.astype(int))
    assert not (marks["missed"] & (noisy != 0)).any()


def test_kinds_are_those_of_the_measured_noise() -> None:
    generator = np.random.default_rng(1)
    clean = generator.choice(len(LABELS), 2000, p=[0.6, *[0.05] * 8])
    noisy = np.where(generator.random(2000) < 0.3, generator.choice(len(LABELS), 2000), clean)
    names = LABELS.labels
    # Each token is a sentence of its own, since other labels would not be legal side by side.
    sentences = [
        Sentence(("word",), (names[own],), gold=(names[gold],)) for own, gold in zip(noisy, clean, strict=True)
    ]
    measured = measure_noise(sentences, Scheme.IOBES)
    single = np.array([0, 4, 4, 4, 4, 8, 8, 8, 8])  # what a label in a sentence of its own is read as
    rates = kind_rates(single[noisy], single[clean], LABELS, exact)
    wrong = measured.wrong_positives
    assert rates.missed.estimate == measured.tau_n
    assert rates.spurious.estimate == wrong.gold_outside / measured.positives
    assert rates.type.estimate == (wrong.wrong_type + wrong.both_wrong) / measured.positives
    assert rates.boundary.estimate == wrong.wrong_position / measured.positives


def test_the_kinds_of_a_type_add_up_to_its_wrong_labels() -> None:
    generator = np.random.default_rng(2)
    noisy, clean = generator.choice(9, 500), generator.choice(10, 500)
    rates = kind_rates(noisy, clean, LABELS, exact)
    for name, members in (("LOC", range(1, 5)), ("PER", range(5, 9))):
        own = np.isin(noisy, members)
        total = sum(rates.by_type[name][kind].estimate for kind in WRONG_ENTITY_LABELS)
        assert abs(total - (noisy[own] != clean[own]).mean()) < 1e-12
    assert set(rates.summary()) == {*KINDS, "by_type"}
    assert rates.of_labels[0] == rates.missed.estimate
    assert rates.of_labels[1] == pytest.approx((noisy[noisy > 0] != clean[noisy > 0]).mean())
