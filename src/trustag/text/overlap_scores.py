"""Entity scores in nervaluate's four schemas, which distinguish kinds of errors.

``strict`` requires the right boundaries and type, ``exact`` the right boundaries, ``partial`` some overlap (half credit
if the boundaries differ) and ``ent_type`` the right type and some overlap. nervaluate does the scoring, but for one
group of overlapping entities at a time, since entities in different groups do not affect each other. That is faster:
nervaluate compares all pairs, and a few distinct groups, each scored only once, make up most of a corpus.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.scoring import check_lengths, entities_of, share
from trustag.text.spans import Span

Schema: TypeAlias = Literal["strict", "exact", "partial", "ent_type"]
SCHEMAS: Final[tuple[Schema, ...]] = get_args(Schema)

_COUNT_NAMES: Final = ("correct", "incorrect", "partial", "missed", "spurious")
_Shape: TypeAlias = tuple[tuple[Span, ...], tuple[Span, ...]]


@dataclass(frozen=True, slots=True)
class OverlapCounts:
    """Counts of one schema over all entities; a share with an empty denominator is 0.0.

    >>> OverlapCounts(correct=1, partial=2, spurious=1).precision
    0.5
    """

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0

    @property
    def found(self) -> int:
        """The number of predicted entities (nervaluate calls them actual)."""
        return self.correct + self.incorrect + self.partial + self.spurious

    @property
    def support(self) -> int:
        """The number of gold entities (nervaluate calls them possible)."""
        return self.correct + self.incorrect + self.partial + self.missed

    @property
    def precision(self) -> float:
        """The share of predicted entities that are correct; partial matches count half."""
        return share(self.correct + 0.5 * self.partial, self.found)

    @property
    def recall(self) -> float:
        """The share of gold entities that were found; partial matches count half."""
        return share(self.correct + 0.5 * self.partial, self.support)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return share(2 * self.correct + self.partial, self.found + self.support)


class OverlapTally:
    """Collects entities one sentence at a time and scores them with nervaluate.

    >>> tally = OverlapTally()
    >>> tally.add(gold=["B-PER", "I-PER", "O"], predicted=["B-PER", "O", "B-LOC"])
    >>> tally.result()["ent_type"]
    OverlapCounts(correct=1, incorrect=0, partial=0, missed=0, spurious=1)
    """

    def __init__(self, strict: Scheme | None = None) -> None:
        self._strict = strict
        self._shapes: Counter[_Shape] = Counter()

    def add(self, gold: Sequence[Label], predicted: Sequence[Label]) -> None:
        """Add one sentence; both labellings need one label per token."""
        check_lengths(gold, predicted)
        self._shapes.update(_shapes(entities_of(gold, self._strict), entities_of(predicted, self._strict)))

    def result(self) -> Mapping[Schema, OverlapCounts]:
        """Return the counts of every schema for everything added so far."""
        totals: dict[Schema, Counter[str]] = {schema: Counter() for schema in SCHEMAS}
        for shape, times in self._shapes.items():
            for schema, counts in _scored(shape).items():
                totals[schema].update({name: times * count for name, count in counts.items()})
        return {schema: OverlapCounts(**total) for schema, total in totals.items()}


def _shapes(gold: Sequence[Span], predicted: Sequence[Span]) -> Iterator[_Shape]:
    """Yield the groups of overlapping entities, each shifted to start at token 0."""
    group: tuple[list[Span], list[Span]] = ([], [])
    first, end = 0, 0
    for span, side in sorted([*((span, 0) for span in gold), *((span, 1) for span in predicted)]):
        if span.start >= end:
            if end:
                yield tuple(group[0]), tuple(group[1])
            group, first = ([], []), span.start
        group[side].append(Span(span.start - first, span.end - first, span.type))
        end = max(end, span.end)
    if end:
        yield tuple(group[0]), tuple(group[1])


def _scored(shape: _Shape) -> dict[Schema, dict[str, int]]:
    """Return nervaluate's counts for one group of entities."""
    from nervaluate import Evaluator  # noqa: PLC0415 - only needed here

    gold, predicted = ([{"label": s.type, "start": s.start, "end": s.end - 1} for s in side] for side in shape)
    types = sorted({span.type for side in shape for span in side})
    overall = Evaluator([gold], [predicted], tags=types, loader="dict").evaluate()["overall"]
    return {schema: {name: getattr(overall[schema], name) for name in _COUNT_NAMES} for schema in SCHEMAS}
