"""Noise rates that a model of noisy labels shows on clean ones."""

from dataclasses import replace

import numpy as np
import pytest

from trustag.noise_rates.dev_errors import imitated_noise_rates, with_contradicted
from trustag.noise_rates.estimates import Rate
from trustag.text.label_sets import LabelSet

LABELS = LabelSet(("LOC", "PER"), "BIES")
NONE, S_LOC, S_PER = 0, LABELS.labels.index("S-LOC"), LABELS.labels.index("S-PER")


def draw(sentences: int, seed: int = 1) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return clean labels, and those of a source that calls half of the places persons and forgets a fifth of them."""
    generator = np.random.default_rng(seed)
    clean = [generator.choice([NONE, S_LOC, S_PER], 10, p=[0.6, 0.2, 0.2]) for _ in range(sentences)]
    noisy = []
    for row in clean:
        rng = generator.random(len(row))
        noisy.append(np.where((row == S_LOC) & (rng < 0.5), S_PER, np.where((row == S_LOC) & (rng < 0.7), NONE, row)))
    return noisy, clean


def test_a_perfect_imitation_shows_the_rates_exactly() -> None:
    noisy, clean = draw(400)
    rates = imitated_noise_rates(noisy, clean, LABELS)
    given, gold = np.concatenate(noisy), np.concatenate(clean)
    assert rates.negative.estimate == pytest.approx((gold[given == NONE] != NONE).mean())
    assert rates.positive.estimate == pytest.approx((gold[given > 0] != given[given > 0]).mean())
    own = (gold[given == S_PER] != S_PER).mean()
    assert rates.by_label["S-PER"].estimate == pytest.approx(own, abs=0.01)  # pulled a little towards its type
    assert rates.by_label["S-LOC"].estimate == pytest.approx(0, abs=0.01)
    assert rates.by_type["PER"].estimate > rates.positive.estimate > rates.by_type["LOC"].estimate
    for rate in (rates.negative, rates.positive, *rates.by_label.values(), *rates.by_type.values()):
        assert 0 <= rate.low <= rate.estimate <= rate.high <= 1


def test_a_label_that_was_never_imitated_takes_the_rate_of_its_type() -> None:
    rates = imitated_noise_rates(*draw(400), LABELS)
    assert rates.by_label["B-PER"].estimate == pytest.approx(rates.by_type["PER"].estimate)


def test_tokens_without_a_clean_label_have_no_part() -> None:
    noisy, clean = draw(100)
    unknown = [np.full(5, -1)]
    rates, more = (
        imitated_noise_rates(noisy + extra, clean + extra_clean, LABELS)
        for extra, extra_clean in (([], []), ([np.full(5, S_PER)], unknown))
    )
    assert more.positive.estimate == rates.positive.estimate
    assert more.unknown == 5


def test_more_sentences_give_narrower_ranges() -> None:
    few, many = (imitated_noise_rates(*draw(count), LABELS).positive for count in (20, 2000))
    assert many.high - many.low < few.high - few.low


def test_what_models_contradict_comes_on_top_of_what_they_repeat() -> None:
    # Half of the persons are wrong in a way that models repeat, and a fifth of what is left in one they contradict.
    repeated = imitated_noise_rates(*draw(400), LABELS)
    fifth = Rate(0.2, 0.1, 0.3)
    contradicted = replace(
        repeated,
        positive=fifth,
        by_type=dict.fromkeys(repeated.by_type, fifth),
        by_label=dict.fromkeys(repeated.by_label, fifth),
    )
    both = with_contradicted(repeated, contradicted)
    assert both.negative == repeated.negative
    pairs = zip((both.positive, *both.by_label.values()), (repeated.positive, *repeated.by_label.values()), strict=True)
    for rate, own in pairs:
        assert 1 - rate.estimate == pytest.approx(0.8 * (1 - own.estimate))
        assert 0 <= rate.low <= rate.estimate <= rate.high <= 1
    nothing = replace(contradicted, by_label=dict.fromkeys(repeated.by_label, Rate(0.0, 0.0, 0.0)))
    same = with_contradicted(repeated, nothing).by_label["S-PER"]
    assert same.estimate == pytest.approx(repeated.by_label["S-PER"].estimate)
