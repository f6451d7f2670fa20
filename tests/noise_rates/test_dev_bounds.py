"""Noise by kind, bounded by dev: ranges hold the truth, and direction is told where labels alone cannot tell it."""

from typing import NamedTuple

import numpy as np
import pytest

from trustag.noise_rates.dev_bounds import BoundedNoise, LabelledDev, bounded_noise
from trustag.noise_rates.kinds import KINDS, kind_marks
from trustag.text.label_sets import LabelSet

LABELS = LabelSet(("LOC", "PER"), "S")
NONE, LOC, PER = 0, 1, 2
WORDS = 60


class Source(NamedTuple):
    """A world: how often each word truly has each label, and how often it is labelled so where it truly is another."""

    true: np.ndarray  # (words, labels)
    noisy: np.ndarray  # (words, labels, labels): from the true to the given one


def world(seed: int) -> np.ndarray:
    """Return how often each word is an entity of each type: most are clear, some ambiguous."""
    generator = np.random.default_rng(seed)
    kind = generator.choice(3, WORDS, p=[0.7, 0.15, 0.15])
    sure = np.where(generator.random(WORDS) < 0.7, 0.98, 0.7)
    table = np.full((WORDS, 3), ((1 - sure) / 2)[:, None])
    table[np.arange(WORDS), kind] = sure
    return table


def channel(words: np.ndarray, source: int, target: int, share: float) -> np.ndarray:
    """Return the noise that labels ``share`` of what is truly ``source`` as ``target``, on some words."""
    found = np.repeat(np.eye(3)[None], WORDS, axis=0)
    found[words, source, source] = 1 - share
    found[words, source, target] = share
    return found


def sources() -> dict[str, Source]:
    """Return kinds of noise: at random, and on some words only, where it repeats."""
    found: dict[str, Source] = {}
    for seed in (1, 2):
        true, everywhere = world(seed), np.arange(WORDS)
        some = np.random.default_rng(seed).choice(WORDS, WORDS // 3, replace=False)
        found |= {
            f"clean {seed}": Source(true, channel(everywhere, NONE, LOC, 0.0)),
            f"half of the places missed {seed}": Source(true, channel(everywhere, LOC, NONE, 0.5)),
            f"persons missed, always the same {seed}": Source(true, channel(some, PER, NONE, 1.0)),
            f"words labelled at random {seed}": Source(true, channel(everywhere, NONE, PER, 0.1)),
            f"words labelled, always the same {seed}": Source(true, channel(some, NONE, LOC, 1.0)),
            f"persons called places {seed}": Source(true, channel(everywhere, PER, LOC, 0.4)),
            f"persons called places, always the same {seed}": Source(true, channel(some, PER, LOC, 1.0)),
        }
    return found


def drawn(generator: np.random.Generator, table: np.ndarray) -> np.ndarray:
    """Return a label for each row of probabilities."""
    below: np.ndarray = generator.random(len(table))[:, None] > table.cumsum(1)
    numbers: np.ndarray = below.sum(1)
    return numbers.clip(max=2)


def found_in(source: Source, seed: int = 1) -> tuple[BoundedNoise, dict[str, float], float]:
    """Return the noise that is found in labels of a source, and the true rates by kind and of all."""
    generator = np.random.default_rng(seed)
    words, dev_words = generator.choice(WORDS, 8000), generator.choice(WORDS, 3000)
    clean, dev_clean = drawn(generator, source.true[words]), drawn(generator, source.true[dev_words])
    given = drawn(generator, source.noisy[words, clean])
    # A model of the noisy labels knows how often a word is labelled so, and no more.
    model = np.einsum("wt,wtg->wg", source.true, source.noisy) + generator.random((WORDS, 3)) * 0.01
    model /= model.sum(1, keepdims=True)
    dev = LabelledDev(dev_clean, [10] * 300, [model[dev_words]])
    marks = kind_marks(given, clean, LABELS)
    entities = int((given > 0).sum())
    truth = {
        kind: float(own.sum()) / (len(given) - entities if kind == "missed" else entities)
        for kind, own in marks.items()
    }
    return bounded_noise(given, model[words], dev, LABELS), truth, sum(truth[kind] for kind in KINDS[1:])


@pytest.fixture(scope="module")
def everything() -> dict[str, tuple[BoundedNoise, dict[str, float], float]]:
    return {name: found_in(source) for name, source in sources().items()}


def test_ranges_hold_the_truth_in_nine_of_ten(
    everything: dict[str, tuple[BoundedNoise, dict[str, float], float]],
) -> None:
    held = {}
    for name, (found, truth, wrong) in everything.items():
        rates = {**{kind: (getattr(found.kinds, kind), truth[kind]) for kind in KINDS}, "wrong": (found.wrong, wrong)}
        for kind, (rate, true) in rates.items():
            assert 0 <= rate.low <= rate.estimate <= rate.high <= 1
            held[name, kind] = rate.low <= true <= rate.high
    assert sum(held.values()) >= 0.9 * len(held), [key for key, inside in held.items() if not inside]


def test_the_same_labels_and_models_are_told_apart_by_dev() -> None:
    generator = np.random.default_rng(1)
    ambiguous = generator.random(6000) < 0.3
    given = np.where(ambiguous & (generator.random(6000) < 0.5), PER, NONE)
    table = np.where(ambiguous[:, None], [0.5, 0.0, 0.5], [1.0, 0.0, 0.0])
    names, words = (
        bounded_noise(given, table, LabelledDev(np.where(ambiguous, truly, NONE), [10] * 600, [table]), LABELS).kinds
        for truly in (PER, NONE)
    )
    half = 0.5 * ambiguous.mean() / (given == NONE).mean()
    assert names.missed.low > 0.5 * half
    assert words.missed.high < 0.01
    assert names.spurious.high < 0.1
    assert words.spurious.low > 0.8


def test_nothing_to_look_at_leaves_everything_open() -> None:
    table = np.full((4, 3), 1 / 3)
    found = bounded_noise(
        np.zeros(4, dtype=np.int64), table, LabelledDev(np.zeros(0, dtype=np.int64), [], [table[:0]]), LABELS
    )
    assert (found.kinds.missed.low, found.kinds.missed.high) == (0.0, 1.0)
    assert (found.wrong.low, found.wrong.high) == (0.0, 1.0)
