"""Noise rates counted on sentences labelled twice: exact, and with ranges that hold the truth."""

import numpy as np
import pytest

from trustag.noise_rates.counting import CountedLabels
from trustag.noise_rates.kinds import KINDS
from trustag.text.label_sets import LabelSet

LABELS = LabelSet(("LOC", "PER"), "S")
LOC, PER = 1, 2


def drawn(
    generator: np.random.Generator, sentences: int, *, together: bool = False
) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Return noisy and clean labels of a source that calls a fifth of the persons places and misses a tenth.

    With ``together``, all persons of a sentence are confused or none.
    """
    lengths = [10] * sentences
    clean = generator.choice(3, 10 * sentences, p=[0.6, 0.2, 0.2])
    chance = generator.random(sentences).repeat(10) if together else generator.random(10 * sentences)
    noisy = np.where((clean == PER) & (chance < 0.2), LOC, np.where((clean == PER) & (chance > 0.9), 0, clean))
    return noisy, clean, lengths


def test_rates_are_the_shares_that_are_counted() -> None:
    noisy, clean, lengths = drawn(np.random.default_rng(1), 400)
    rates = CountedLabels(noisy, clean, lengths, LABELS).rates()
    assert rates.negative.estimate == (clean[noisy == 0] != 0).mean()
    assert rates.positive.estimate == (clean[noisy > 0] != noisy[noisy > 0]).mean()
    assert rates.by_type["LOC"].estimate == pytest.approx((clean[noisy == LOC] != LOC).mean(), abs=0.01)
    assert rates.by_type["PER"].estimate == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("together", [False, True])
def test_ranges_hold_the_truth_as_often_as_they_say(together: bool) -> None:
    truth = CountedLabels(*drawn(np.random.default_rng(99), 20_000, together=together), LABELS)
    whole = {kind: getattr(truth.kinds(), kind).estimate for kind in KINDS}
    held, width = dict.fromkeys(KINDS, 0), 0.0
    for seed in range(200):
        kinds = CountedLabels(*drawn(np.random.default_rng(seed), 100, together=together), LABELS).kinds()
        for kind in KINDS:
            rate = getattr(kinds, kind)
            held[kind] += rate.low <= whole[kind] <= rate.high
        width += kinds.type.high - kinds.type.low
    assert all(count > 180 for count in held.values()), held
    assert width / 200 < 0.25


def test_labels_that_err_together_have_wider_ranges() -> None:
    apart, together = (
        CountedLabels(*drawn(np.random.default_rng(3), 200, together=together), LABELS).rates().positive
        for together in (False, True)
    )
    assert together.high - together.low > 1.2 * (apart.high - apart.low)


def test_unknown_labels_do_not_count() -> None:
    noisy, clean, lengths = drawn(np.random.default_rng(1), 100)
    more = CountedLabels(
        np.concatenate([noisy, [PER, -1]]), np.concatenate([clean, [-1, PER]]), [*lengths, 2], LABELS
    ).rates()
    assert more.positive.estimate == CountedLabels(noisy, clean, lengths, LABELS).rates().positive.estimate


def test_a_type_that_training_does_not_know_is_an_error_of_the_noisy_label() -> None:
    rates = CountedLabels(np.full(40, PER), np.full(40, len(LABELS)), [2] * 20, LABELS).rates()
    assert rates.positive.estimate == 1.0


@pytest.mark.parametrize(("sentences", "label", "enough"), [(20, PER, True), (19, PER, False), (20, 0, False)])
def test_few_sentences_or_few_entities_are_not_enough(sentences: int, label: int, *, enough: bool) -> None:
    labels = np.full(2 * sentences, label)
    assert CountedLabels(labels, labels, [2] * sentences, LABELS).are_enough == enough
