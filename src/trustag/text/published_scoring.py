"""Entity scores as the published code of the paper computes them, including its bug, to compare with its figures.

That code supports only IOBES. It reads an entity from a ``B`` to the next ``E``, or a single ``S``; the type is that of
the ``E``. An ``E`` without a ``B`` uses the last ``B`` before it, even that of another entity, and for predicted labels
even one of the gold labels. On legal labels the result agrees with conlleval.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from trustag.text.labels import OUTSIDE, Label, split_label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.scoring import Counts, EntityScores, EntityTally, LabelPair
from trustag.text.spans import Span

_NO_START: Final = -1


def score_as_published(pairs: Iterable[LabelPair]) -> EntityScores:
    """Return the scores of (gold, predicted) labellings; gold in any scheme, predictions in IOBES, legal or not.

    >>> gold, stray = ["B-PER", "E-PER", "O", "O"], ["O", "E-PER", "O", "E-PER"]
    >>> score_as_published([(gold, stray)]).micro
    Counts(correct=1, found=2, support=1)
    """
    correct: Counter[str] = Counter()
    found: Counter[str] = Counter()
    support: Counter[str] = Counter()
    tokens = EntityTally()
    for gold, predicted in pairs:
        written = convert_labels(gold, Scheme.IOBES)
        tokens.add(written, predicted)
        expected, start = _spans(written, _NO_START)
        spans, _ = _spans(predicted, start)
        support.update(span.type for span in expected)
        found.update(span.type for span in spans)
        correct.update(span.type for span in expected & spans)
    types = sorted({*found, *support})
    counts = {kind: Counts(correct[kind], found[kind], support[kind]) for kind in types}
    return tokens.result().of_entities(counts)


def _spans(labels: Sequence[Label], start: int) -> tuple[set[Span], int]:
    """Return the entities and the start of the last one; an ``E`` before any ``B`` starts at ``start``."""
    spans = set()
    for token, label in enumerate(labels):
        if label is None or label == OUTSIDE:
            continue
        position, kind = split_label(label)
        if position == "B":
            start = token
        elif position == "E":
            spans.add(Span(start, token + 1, kind))
        elif position == "S":
            spans.add(Span(token, token + 1, kind))
    return spans, start
