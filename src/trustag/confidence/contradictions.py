"""Where a model that did not see a sentence contradicts its labels: entity or not, type, position, border.

Every bar comes from the data themselves: what the model gives on average where a label is given and it agrees.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.text.labels import OUTSIDE, LabelSet, canonical_position, split_label

Marks: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.integer[Any]]

_ROUNDING: Final = 1e-9  # the mean of equal numbers may differ from them in the last digit


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """For one part of the labels, its type or its position: the tokens it is ``decided`` for, and contradicted at."""

    decided: Marks
    contradicted: Marks


@dataclass(frozen=True, slots=True)
class Contradictions:
    """What a model says of each token, as marks.

    ``negative`` and ``positive`` are the given ``O`` and entity labels. ``seen``: the model sees an entity;
    ``clearly_entity`` and ``clearly_outside``: it is surer of it than on average where it agrees; ``perhaps_entity``:
    beyond the point that tells the given groups apart best, or seen. ``type`` and ``position`` judge the given parts of
    seen positives; ``doubted`` are the positives with another label before their own in any respect.
    """

    negative: Marks
    positive: Marks
    seen: Marks
    clearly_entity: Marks
    clearly_outside: Marks
    perhaps_entity: Marks
    type: PartVerdict
    position: PartVerdict
    doubted: Marks


@dataclass(frozen=True, slots=True)
class _Part:
    """The probability of each type (or position) given that there is an entity, and the given one's number."""

    table: Numbers
    given: Indices


def find_contradictions(
    given: Indices, probabilities: npt.NDArray[np.floating[Any]], lengths: Indices, labels: LabelSet
) -> Contradictions:
    """Return where ``probabilities`` contradict the ``given`` label numbers of sentences that follow one another."""
    negative, positive = given == 0, given > 0
    entity = probabilities[:, 1:].sum(1, dtype=np.float64)
    share = positive.sum() / max(1, (given >= 0).sum())
    seen = entity > share
    high = _mean(entity[positive & seen], 1.0)
    low = _mean(entity[negative & ~seen], 0.0)
    judged = positive & seen
    split = [split_label(label) for label in labels if label != OUTSIDE]
    kinds = _part(given, probabilities, [labels.types.index(kind) for _, kind in split], len(labels.types))
    places = [labels.positions.index(position) for position, _ in split]
    positions = _part(given, probabilities, places, len(labels.positions))
    type_verdict, position_verdict = _verdict(kinds, judged), _verdict(positions, judged)
    border = _cut_short(given, negative & seen, positions, lengths, labels)
    doubted = ~seen | border | _outdone(kinds) | _outdone(positions)
    return Contradictions(
        negative=negative,
        positive=positive,
        seen=seen,
        clearly_entity=seen & (entity >= high * (1 - _ROUNDING)),
        clearly_outside=~seen & (entity <= low * (1 + _ROUNDING)),
        perhaps_entity=seen | (entity > _parting_point(entity, positive, negative)),
        type=type_verdict,
        position=PartVerdict(position_verdict.decided | border, position_verdict.contradicted | border),
        doubted=positive & doubted,
    )


def _mean(values: Numbers, default: float) -> float:
    return float(values.mean()) if len(values) else default


def _part(given: Indices, probabilities: npt.NDArray[np.floating[Any]], numbers: list[int], count: int) -> _Part:
    """Return the type, or the position, of each label; ``numbers`` names that of every label but ``O``."""
    belongs = np.zeros((len(numbers), max(1, count)))
    belongs[np.arange(len(numbers)), numbers] = 1
    table = probabilities[:, 1:] @ belongs
    total = table.sum(1, keepdims=True)
    shares = np.divide(table, total, out=np.zeros_like(table), where=total > 0)
    return _Part(shares, np.array([0, *numbers])[np.maximum(given, 0)])


def _verdict(part: _Part, judged: Marks) -> PartVerdict:
    """Judge a part of the given labels by what each type or position has on average where it is given."""
    table, given = part.table, part.given
    bars = np.array([_mean(table[judged & (given == number), number], np.inf) for number in range(table.shape[1])])
    rows = np.arange(len(given))
    rivals = table >= bars * (1 - _ROUNDING)
    rivals[rows, given] = False
    weak = table[rows, given] < bars[given] / 2
    contradicted = judged & weak & rivals.any(1)
    return PartVerdict(judged & ~weak | contradicted, contradicted)


def _outdone(part: _Part) -> Marks:
    """Mark where another type or position has more probability than the given one."""
    own = part.table[np.arange(len(part.given)), part.given]
    return np.asarray((part.table > own[:, None]).any(1))


def _cut_short(given: Indices, missed: Marks, positions: _Part, lengths: Indices, labels: LabelSet) -> Marks:
    """Mark the entity labels that end, or begin, next to a missed token which goes on from there.

    Only a scheme that marks beginnings and ends says by a label alone that an entity ends here.
    """
    letters = [canonical_position(letter) for letter in labels.positions]
    if set(letters) != set("BIES"):
        return np.zeros(len(given), dtype=np.bool_)

    def says(wanted: str) -> Marks:
        probable: Marks = positions.table[:, [letter in wanted for letter in letters]].sum(1) > 1 / 2
        return missed & probable

    def has(wanted: str) -> Marks:
        chosen: Marks = np.array([letter in wanted for letter in letters])[positions.given]
        return chosen & (given > 0)

    sentence = np.repeat(np.arange(len(lengths)), lengths)
    joined = sentence[1:] == sentence[:-1]
    marks = np.zeros(len(given), dtype=np.bool_)
    marks[:-1] |= joined & has("ES")[:-1] & says("IE")[1:]
    marks[1:] |= joined & has("BS")[1:] & says("BI")[:-1]
    return marks


def _parting_point(entity: Numbers, positive: Marks, negative: Marks) -> float:
    """Return the probability that best tells the given groups apart: most entity labels lie beyond it, most ``O`` not.

    Most are shares of each group, so that the size of the groups has no influence.
    """
    if not positive.any() or not negative.any():
        return np.inf
    order = np.argsort(entity, kind="stable")
    values = entity[order]
    gap = np.cumsum(negative[order]) / negative.sum() - np.cumsum(positive[order]) / positive.sum()
    last_of_value = np.append(values[1:] > values[:-1], True)  # equal probabilities stay together
    return float(values[np.argmax(np.where(last_of_value, gap, -np.inf))])
