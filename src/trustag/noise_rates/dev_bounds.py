"""Noise by kind, bounded by what clean dev sentences show of the same models.

Out-of-fold probabilities are calibrated for the noisy labels and cannot tell missed from spurious entities. On dev,
whose labels are clean, the same models show how often there really is an entity, of which type, where they give one
such a probability. Training tokens to which they give the same probability are taken to have one as often. The noisy
labels beside them then leave room for some errors only: of tokens of which 30 % are entities and 80 % are labelled as
such, at least half are spurious, and 70 % at most (the bounds of Fréchet). Added up over all tokens, these are bounds
for each kind of error. They hold for any noise, systematic or not, as far as dev is text of the same kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from trustag.noise_rates.estimates import NOTHING_KNOWN, Indices, Marks, Rate, token_resampling
from trustag.noise_rates.kinds import KindRates, type_numbers
from trustag.text.label_sets import LabelSet
from trustag.text.resampling import Resampling

Table = npt.NDArray[np.floating]

_BINS: Final = 10
_SHIFT: Final = 1.5
"""Dev may be denser or thinner of entities than training: the odds of a true label may differ by this factor."""
_TOGETHER: Final = 2.0
"""How far a label speaks for itself beyond what models predict from the words, in log-odds; only for the estimate."""
_LOW, _HIGH = 0.05, 0.95
_MOST_TOKENS: Final = 200_000
"""Of longer corpora so many tokens are looked at, evenly spaced: more would cost time and narrow nothing."""
_SMALLEST: Final = 1e-5


@dataclass(frozen=True, slots=True)
class LabelledDev:
    """Clean label indices of dev (tokens,), the lengths of its sentences, and a table of probabilities a model."""

    clean: Indices
    lengths: Sequence[int]
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class BoundedNoise:
    """The rates by kind, and that of all wrong entity labels together."""

    kinds: KindRates
    wrong: Rate


def bounded_noise(given: Indices, table: Table, dev: LabelledDev, labels: LabelSet, seed: int = 1) -> BoundedNoise:
    """Return the noise rates of ``given`` labels (tokens,), negative where unknown, by kind.

    ``table`` (tokens, labels) are the probabilities of models that did not see them. The ranges hold the sampling error
    of dev, too; the estimates are between the bounds.
    """
    known = np.flatnonzero(given >= 0)
    if len(known) > _MOST_TOKENS:
        known = known[np.linspace(0, len(known) - 1, _MOST_TOKENS).astype(np.int64)]
    bounds = _Bounds(given[known], np.asarray(table, dtype=np.float64)[known], dev, seed)
    own = type_numbers(labels)[: len(labels)]
    entity = np.arange(len(labels)) > 0
    of_type = {name: own == number for number, name in enumerate(labels.types)}
    singles = np.eye(len(labels), dtype=np.bool_)[1:]
    by_type = {name: _kinds(bounds, [mine], entity) for name, mine in of_type.items()}
    missed = bounds.share([(~entity, entity)])
    wrong = _complement(bounds.share([(one, one) for one in singles]))
    return BoundedNoise(KindRates(missed, **_kinds(bounds, list(of_type.values()), entity), by_type=by_type), wrong)


def _kinds(bounds: "_Bounds", types: Sequence[Marks], entity: Marks) -> dict[str, Rate]:
    """Return the rates of wrong labels of some types by kind.

    What is wrong in type is bounded in two ways: by how many labels may truly be of other types, and by how many are
    not of their own type and not spurious; so are wrong positions.
    """
    every = np.logical_or.reduce(types)
    singles = [one for mine in types for one in np.eye(len(mine), dtype=np.bool_)[mine]]
    spurious = bounds.share([(every, ~entity)])
    off_type = _complement(bounds.share([(mine, mine) for mine in types]))
    off_place = _complement(bounds.share([(one, one) for one in singles]))
    other = bounds.share([(mine, entity & ~mine) for mine in types])
    moved = bounds.share([pair for mine in types for pair in _moved(mine)])
    return {
        "spurious": spurious,
        "type": _rest(other, off_type, spurious),
        "boundary": _rest(moved, off_place, off_type),
    }


def _complement(rate: Rate) -> Rate:
    return Rate(1 - rate.estimate, 1 - rate.high, 1 - rate.low)


def _rest(own: Rate, whole: Rate, part: Rate) -> Rate:
    """Return the rate of what is in ``whole`` and not in ``part``, which is bounded by ``own``, too."""
    low, high = max(own.low, whole.low - part.high, 0.0), min(own.high, max(0.0, whole.high - part.low))
    low = min(low, high)
    return Rate(min(max(whole.estimate - part.estimate, low), high), low, high)


def _moved(mine: Marks) -> list[tuple[Marks, Marks]]:
    """Return each label of a type with the others of this type."""
    singles = np.eye(len(mine), dtype=np.bool_)[mine]
    return [(one, mine & ~one) for one in singles]


class _Bounds:
    """Bounds of how many labels of one group are truly of another."""

    def __init__(self, given: Indices, table: Table, dev: LabelledDev, seed: int) -> None:
        self._given, self._table = given, table
        self._clean = dev.clean
        self._dev = [np.asarray(own, dtype=np.float64) for own in dev.tables]
        self._resampling = token_resampling(dev.lengths, seed)
        self._known: dict[tuple[bytes, bytes], tuple[Table, Table, Table]] = {}

    def share(self, pairs: Sequence[tuple[Marks, Marks]]) -> Rate:
        """Return the share of given labels that are truly others, summed over ``pairs`` of groups of labels."""
        total = sum(int(own[self._given].sum()) for own, _ in pairs)
        if not total or not len(self._clean):
            return NOTHING_KNOWN
        low, middle, high = (sum(part) for part in zip(*(self._counts(*pair) for pair in pairs), strict=True))
        # Chance makes bounds too narrow, and still narrower in draws: they are moved outwards by as much.
        least = max(0.0, 2 * float(low[0]) - float(np.quantile(low, _HIGH)))
        most = min(
            float(total), max(float(np.quantile(high, _HIGH)), 2 * float(high[0]) - float(np.quantile(high, _LOW)))
        )
        least, value, most = (number / total for number in (least, float(middle[0]), most))
        return Rate(min(max(value, least), most), least, most)

    def _counts(self, own: Marks, others: Marks) -> tuple[Table, Table, Table]:
        """Return the same once found: totals and types ask for the same groups."""
        key = own.tobytes(), others.tobytes()
        if key not in self._known:
            self._known[key] = self._found(own, others)
        return self._known[key]

    def _found(self, own: Marks, others: Marks) -> tuple[Table, Table, Table]:
        """Return the least, the likely and the most labels of ``own`` that are truly ``others``: (draws,) each."""
        scores = _log_odds(self._table @ others)
        seen = np.stack([_log_odds(table @ others) for table in self._dev])
        truly = others[self._clean.clip(0, len(others) - 1)] & (self._clean >= 0) & (self._clean < len(others))
        edges = _edges(seen, truly)
        bins = np.digitize(scores, edges)
        count = len(edges) + 1
        tokens = np.bincount(bins, minlength=count).astype(np.float64)
        labelled = np.bincount(bins, own[self._given], count) / np.maximum(tokens, 1)
        expected = np.bincount(bins, self._table @ others, count) / np.maximum(tokens, 1)
        true = _true_shares(np.digitize(seen, edges), truly, expected, self._resampling)
        low = np.maximum(0, labelled + _shifted(true, 1 / _SHIFT) - 1) @ tokens
        high = np.minimum(labelled, _shifted(true, _SHIFT)) @ tokens
        together = _TOGETHER if (own == others).all() else -_TOGETHER
        return low, _joint(labelled, true, float(np.exp(together))) @ tokens, high


def _edges(seen: Table, truly: Marks) -> Table:
    """Return bounds of scores between which lie equally many tokens that matter: those in question or truly so."""
    most = np.sort(seen.ravel())[::-1][: max(_BINS, 2 * int(truly.sum()) * len(seen))]
    matter = np.concatenate([seen[:, truly].ravel(), most])
    return np.unique(np.quantile(matter, np.linspace(0, 1, _BINS + 1)[1:-1]))


def _true_shares(bins: Indices, truly: Marks, expected: Table, resampling: Resampling) -> Table:
    """Return the share of dev tokens that are truly in question, (draws, bins); ``expected`` where there are none."""
    rows = []
    for number, otherwise in enumerate(expected):
        inside = (bins == number).sum(0)
        whole = resampling.totals(inside)
        rows.append(np.where(whole > 0, resampling.totals(inside * truly) / np.maximum(whole, 1), otherwise))
    return np.stack(rows, axis=1)


def _shifted(shares: Table, factor: float) -> Table:
    """Return shares with their odds times ``factor``."""
    shifted: Table = shares * factor / (1 - shares + shares * factor)
    return shifted


def _joint(labelled: Table, true: Table, ratio: float) -> Table:
    """Return how often a token has two properties, each as often as given, with this odds ratio (Plackett)."""
    whole = 1 + (labelled + true) * (ratio - 1)
    root = np.sqrt(np.maximum(0.0, whole**2 - 4 * ratio * (ratio - 1) * labelled * true))
    joint: Table = (whole - root) / (2 * (ratio - 1))
    return joint


def _log_odds(shares: Table) -> Table:
    inside = np.clip(shares, _SMALLEST, 1 - _SMALLEST)
    odds: Table = np.log(inside) - np.log1p(-inside)
    return odds
