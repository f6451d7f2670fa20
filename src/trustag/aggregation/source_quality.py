"""How good each source is: as estimated without gold labels, and as measured where there are some."""

from collections.abc import Sequence
from dataclasses import dataclass

from trustag.aggregation.source_labels import UNKNOWN, SourceLabels
from trustag.aggregation.true_labels import Estimate
from trustag.text.labels import Label
from trustag.text.scoring import EntityTally, share
from trustag.text.spans import read_spans


@dataclass(frozen=True, slots=True)
class Quality:
    """Precision and recall of the entities of a source."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0.0 if both are 0."""
        return share(2 * self.precision * self.recall, self.precision + self.recall)


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """One source: how much it labels, how good it is by estimate, and by gold labels where there are some."""

    name: str
    tokens: int
    entities: int
    estimated: Quality
    measured: Quality | None = None


def summarise(
    sources: SourceLabels, estimate: Estimate, gold: Sequence[tuple[Label, ...]] | None
) -> tuple[SourceSummary, ...]:
    """Return a summary of each source; ``gold`` labels are those of each sentence."""
    return tuple(
        _summary(sources, number, estimate, None if gold is None else _measured(sources, number, gold))
        for number in range(len(sources.names))
    )


def _summary(sources: SourceLabels, number: int, estimate: Estimate, measured: Quality | None) -> SourceSummary:
    given = sources.indices[:, number]
    known = given != UNKNOWN
    correct, entities = 0.0, 0
    for first, labels in zip(sources.offsets, sources.of(number), strict=False):
        for span in read_spans(labels):
            entities += 1
            correct += estimate.span_probability(sources.labels, first, span, len(labels))
    true = float(estimate.probabilities[known][:, 1::2].sum())
    estimated = Quality(min(1.0, share(correct, entities)), min(1.0, share(correct, true)))
    return SourceSummary(sources.names[number], int(known.sum()), entities, estimated, measured)


def _measured(sources: SourceLabels, number: int, gold: Sequence[tuple[Label, ...]]) -> Quality:
    """Return the quality of a source on the tokens that it labels."""
    tally = EntityTally()
    for labels, true in zip(sources.of(number), gold, strict=True):
        shown = tuple(None if own is None else label for own, label in zip(labels, true, strict=True))
        tally.add(shown, labels)
    micro = tally.result().micro
    return Quality(micro.precision, micro.recall)
