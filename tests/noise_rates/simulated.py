"""Made-up labels with known noise, and what a calibrated model that never saw them would say."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trustag.text.label_sets import LabelSet

TYPES = ("LOC", "ORG", "PER")
LABELS = LabelSet(TYPES, "BIES")
B, INNER, E, S = range(4)


@dataclass(frozen=True)
class Noise:
    """Shares: of entities forgotten, of ``O`` tokens made an entity, of entities that get the next type."""

    forgotten: float = 0.0
    invented: float = 0.0
    flipped: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Simulated:
    given: list[npt.NDArray[np.int64]]
    gold: list[npt.NDArray[np.int64]]
    probabilities: list[npt.NDArray[np.float64]]

    def rates(self) -> tuple[float, float]:
        """The true share of wrong O labels and of wrong entity labels."""
        given, gold = np.concatenate(self.given), np.concatenate(self.gold)
        return float((gold[given == 0] != 0).mean()), float((gold[given > 0] != given[given > 0]).mean())


def number(kind: int, position: int) -> int:
    return 1 + 4 * kind + position


def simulate(noise: Noise, sentences: int = 800, sharpness: float = 4.0, seed: int = 1) -> Simulated:
    """Entities of one to three tokens with an O between them; each token shows its label through Gaussian noise.

    The posterior of a label is exact for this evidence, and mixed as the noise mixes labels, so it is calibrated for
    the given labels: a perfect student of noisy data.
    """
    random = np.random.default_rng(seed)
    gold = [_sentence(random) for _ in range(sentences)]
    given = [_damaged(row, noise, random) for row in gold]
    counts = np.bincount(np.concatenate(gold), minlength=len(LABELS)) + 1.0
    mixing = _mixing(noise)
    probabilities = [_posterior(row, counts / counts.sum(), sharpness, random) @ mixing for row in gold]
    return Simulated(given, gold, probabilities)


def _sentence(random: np.random.Generator) -> npt.NDArray[np.int64]:
    labels: list[int] = []
    while len(labels) < 20:
        labels += [0] * int(random.integers(2, 7))
        kind, length = int(random.integers(3)), int(random.integers(1, 4))
        inner = [B, *[INNER] * (length - 2), E] if length > 1 else [S]
        labels += [number(kind, position) for position in inner]
    return np.array(labels)


def _damaged(gold: npt.NDArray[np.int64], noise: Noise, random: np.random.Generator) -> npt.NDArray[np.int64]:
    given = gold.copy()
    starts = [i for i in range(len(gold)) if gold[i] and (gold[i] - 1) % 4 in {B, S}]
    for start in starts:
        end = start
        while (gold[end] - 1) % 4 not in {E, S}:
            end += 1
        kind = (gold[start] - 1) // 4
        draw = random.random()
        if draw < noise.forgotten:
            given[start : end + 1] = 0
        elif draw < noise.forgotten + noise.flipped[kind]:
            given[start : end + 1] += 4 if kind < 2 else -8
    for token in np.flatnonzero(gold == 0):
        if random.random() < noise.invented:
            given[token] = number(int(random.integers(3)), S)
    return given


def _mixing(noise: Noise) -> npt.NDArray[np.float64]:
    """The probability of each given label (column) for each true one (row)."""
    table = np.zeros((len(LABELS), len(LABELS)))
    table[0, 0] = 1 - noise.invented
    table[0, [number(kind, S) for kind in range(3)]] = noise.invented / 3
    for kind in range(3):
        for position in range(4):
            row = number(kind, position)
            table[row, 0] = noise.forgotten
            table[row, number((kind + 1) % 3, position)] = noise.flipped[kind]
            table[row, row] = 1 - noise.forgotten - noise.flipped[kind]
    return table


def _posterior(
    gold: npt.NDArray[np.int64], prior: npt.NDArray[np.float64], sharpness: float, random: np.random.Generator
) -> npt.NDArray[np.float64]:
    evidence = random.normal(size=(len(gold), len(prior)))
    evidence[np.arange(len(gold)), gold] += sharpness
    scores = np.log(prior) + sharpness * evidence
    weights = np.exp(scores - scores.max(1, keepdims=True))
    posterior: npt.NDArray[np.float64] = weights / weights.sum(1, keepdims=True)
    return posterior
