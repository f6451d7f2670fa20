"""Where two labellings of a sentence disagree, and how: over which words, and in type or only in position."""

from collections.abc import Sequence

from trustag.text.labels import OUTSIDE, Label, split_label


def entity_type(label: Label) -> Label:
    """Return the type of an entity label; ``O`` and unknown labels stay what they are.

    >>> entity_type("B-geo-loc"), entity_type("O"), entity_type(None)
    ('geo-loc', 'O', None)
    """
    return label if label is None or label == OUTSIDE else split_label(label)[1]


def differing_run(one: Sequence[Label], other: Sequence[Label], token: int) -> tuple[int, int]:
    """Return the first token and the end of the run around ``token`` where two labellings differ in the same types.

    >>> differing_run(("O", "O", "O", "B-PER"), ("O", "B-LOC", "I-LOC", "O"), 2)
    (1, 3)
    """

    def way(place: int) -> tuple[Label, Label] | None:
        return (entity_type(one[place]), entity_type(other[place])) if one[place] != other[place] else None

    first, end = token, token + 1
    while first and way(first - 1) == way(token):
        first -= 1
    while end < len(one) and way(end) == way(token):
        end += 1
    return first, end
