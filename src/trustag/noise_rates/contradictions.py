"""Where a model that did not see a sentence contradicts its labels: entity or not, type, position, border.

Every bar comes from the data themselves: what the model gives on average where a label is given and it agrees. A part
of a label, its type or its position, is contradicted only where the model is as clear about another one as it is there:
a weak model prefers another type at many right labels, but rarely as clearly.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE, canonical_position, split_label

Marks: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.integer[Any]]

_PROBABLE: Final = 0.5
_ROUNDING: Final = 1e-9  # the mean of equal numbers may differ from them in the last digit


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """For one part of the labels, its type or its position: the tokens it is ``decided`` for, and contradicted at.

    A clear contradiction counts for more than one: only a part of all true cases is that clear, and it stands for them.
    """

    decided: Marks
    contradicted: Numbers


@dataclass(frozen=True, slots=True)
class Contradictions:
    """What a model says of each token, as marks.

    ``negative`` and ``positive`` are the given ``O`` and entity labels. ``seen``: the model sees an entity;
    ``clearly_entity`` and ``clearly_outside``: it is surer of it than on average where it agrees; ``perhaps_entity``:
    beyond the point that separates the given groups best, or seen. ``type`` and ``position`` are about the given parts
    of positives that the model too takes for entities; ``doubted`` are the positives with another label before their
    own in any respect.
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
    decided = positive & (entity >= _PROBABLE)
    split = [split_label(label) for label in labels if label != OUTSIDE]
    kinds = _part(given, probabilities, [labels.types.index(kind) for _, kind in split], len(labels.types))
    indices = [labels.positions.index(position) for position, _ in split]
    positions = _part(given, probabilities, indices, len(labels.positions))
    type_verdict, position_verdict = _verdict(kinds, decided), _verdict(positions, decided)
    border = decided & _cut_short(given, negative & (entity >= _PROBABLE), positions, lengths, labels)
    doubted = ~seen | border | _outdone(kinds) | _outdone(positions)
    return Contradictions(
        negative=negative,
        positive=positive,
        seen=seen,
        clearly_entity=seen & (entity >= high * (1 - _ROUNDING)),
        clearly_outside=~seen & (entity <= low * (1 + _ROUNDING)),
        perhaps_entity=seen | (entity > _parting_point(entity, positive, negative)),
        type=type_verdict,
        position=PartVerdict(decided, np.maximum(position_verdict.contradicted, border)),
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


def _verdict(part: _Part, decided: Marks) -> PartVerdict:
    """Return where a part of the given labels is contradicted, by what the model agrees to elsewhere.

    A rival contradicts the given one where it has at least, and the given one at most, what they have on average where
    the rival is given and agreed to.
    """
    table, given = part.table, part.given
    agreed = decided & (table.argmax(1) == given)
    weights = np.zeros(len(given))
    for rival in range(table.shape[1]):
        examples = table[agreed & (given == rival)]
        if not len(examples):
            continue
        means = examples.mean(0)
        for own in range(table.shape[1]):
            if own == rival:
                continue
            clear = _as_clear(examples, means, rival, own).mean()
            contradicted = decided & (given == own) & _as_clear(table, means, rival, own)
            weights[contradicted] = np.maximum(weights[contradicted], 1 / clear if clear else 1.0)
    return PartVerdict(decided, weights)


def _as_clear(table: Numbers, means: Numbers, rival: int, own: int) -> Marks:
    strong = table[:, rival] >= means[rival] * (1 - _ROUNDING)
    return np.asarray(strong & (table[:, own] <= means[own] * (1 + _ROUNDING)))


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
