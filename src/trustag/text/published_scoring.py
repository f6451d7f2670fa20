"""Entity scores as the published code of the paper counts them, its fault included; for comparing with its figures.

It knows IOBES alone and reads an entity from a ``B`` to the next ``E``, or an ``S``; the type is that of the ``E``. An
``E`` without its ``B`` takes the last ``B`` there was, even one of another entity, and in predicted labels even one of
the gold labels. On legal labels all of this agrees with conlleval.
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
    """Return the scores of (gold, predicted) labellings; gold of any scheme, predictions in IOBES, legal or not.

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
    """Return the entities, and where the last one began; an ``E`` before any ``B`` begins at ``start``."""
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
