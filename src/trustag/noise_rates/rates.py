"""Noise rates as values: how much of the labels is wrong, where the figure comes from, and how sure it is."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from trustag.noise_rates.kinds import KindRates
from trustag.text.labels import split_label

Interval = tuple[float, float]

PAIRS: Final = "pairs"
"""The source of rates that were counted on sentences labelled twice."""
SOURCES: Final = "sources"
"""The source of rates that follow from the probabilities of labels that several sources gave."""

_HIGHEST: Final = 0.95
_CLEARLY: Final = 3
_MOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class NoiseRates:
    """The share of wrong labels among the ``O`` labels (tau_n) and among the entity labels (tau_p).

    ``by_group`` holds the rates of types (``PER``) or labels (``S-PER``) that differ from the others in reliability.
    """

    negative: float
    positive: float
    by_group: Mapping[str, float] = field(default_factory=dict)

    def group(self, label: str) -> str:
        """Return the name under which an entity label has a rate: its own, that of its type, or none."""
        return next((name for name in (label, split_label(label)[1]) if name in self.by_group), "")

    def capped(self) -> "NoiseRates":
        """Return the same, none above 0.95: some labels of every group must stay trusted."""
        by_group = {name: min(rate, _HIGHEST) for name, rate in self.by_group.items()}
        return NoiseRates(min(self.negative, _HIGHEST), min(self.positive, _HIGHEST), by_group)


NO_NOISE: Final = NoiseRates(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class TruncatedEntityCounts:
    """What models predict for labels on one word of a longer name that none of them saw: how many of each case.

    Some are the ``same`` as the label, some ``another`` entity; the rest are none, which says little where entities
    were missed. ``agreed`` is the share of all other entity labels that the models predict too: who agrees with few of
    them knows nothing of names.
    """

    labels: int
    same: int
    another: int
    agreed: float

    @property
    def are_wrong(self) -> bool:
        """Whether models that know names see another entity several times as often as that of the label."""
        return self.agreed > _MOST and self.another >= _CLEARLY * (self.same + 1)


@dataclass(frozen=True, slots=True)
class FoundRates:
    """The noise rates of a corpus, their source, and the ranges they can be expected in where they were estimated.

    ``truncated_entities`` is what models made of labels on one word of a longer name, where they were asked; ``kinds``
    are the rates by kind of error, where these are known, and ``pairs`` the number of sentences they were counted on.
    """

    source: str
    rates: NoiseRates
    negative_interval: Interval | None = None
    positive_interval: Interval | None = None
    truncated_entities: TruncatedEntityCounts | None = None
    kinds: KindRates | None = None
    pairs: int = 0

    def summary(self) -> dict[str, object]:
        """Return the same as plain values, for files and screens."""
        found: dict[str, object] = {
            "source": self.source,
            "negative": self.rates.negative,
            "negative_interval": self.negative_interval,
            "positive": self.rates.positive,
            "positive_interval": self.positive_interval,
            "by_group": dict(self.rates.by_group),
            "truncated_entities": None if self.truncated_entities is None else asdict(self.truncated_entities),
        }
        if self.kinds is not None:
            found["kinds"] = self.kinds.summary()
        return {**found, "pairs": self.pairs} if self.pairs else found
