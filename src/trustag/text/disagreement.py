"""Where two labellings of a sentence differ: over which tokens, and whether in type or only in position."""

from collections.abc import Sequence

from trustag.text.labels import OUTSIDE, Label, split_label


def entity_type(label: Label) -> Label:
    """Return the type of an entity label; ``O`` and unknown labels are returned unchanged.

    >>> entity_type("B-geo-loc"), entity_type("O"), entity_type(None)
    ('geo-loc', 'O', None)
    """
    return label if label is None or label == OUTSIDE else split_label(label)[1]


def differing_run(one: Sequence[Label], other: Sequence[Label], token: int) -> tuple[int, int]:
    """Return the start and end of the run around ``token`` where two labellings differ by the same pair of types.

    >>> differing_run(("O", "O", "O", "B-PER"), ("O", "B-LOC", "I-LOC", "O"), 2)
    (1, 3)
    """

    def difference(index: int) -> tuple[Label, Label] | None:
        return (entity_type(one[index]), entity_type(other[index])) if one[index] != other[index] else None

    start, end = token, token + 1
    while start and difference(start - 1) == difference(token):
        start -= 1
    while end < len(one) and difference(end) == difference(token):
        end += 1
    return start, end
