"""Label numbers of a model put into words of any scheme."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE
from trustag.text.schemes import Scheme, convert_labels, write_spans
from trustag.text.spans import Span

# In these an entity is written differently right after another of its type.
_BY_NEIGHBOURS: Final = {Scheme.IOB1, Scheme.IOE1}


def labels_of_path(path: Sequence[int], labels: LabelSet, scheme: Scheme, *, legal: bool) -> tuple[str, ...]:
    """Return the labels on a path in ``scheme``; a path known to be legal needs no reading of its entities."""
    if scheme is labels.scheme:
        words: Sequence[str] | None = labels.labels
    else:
        words = one_by_one(labels, scheme) if legal else None
    if words is not None:
        return tuple([words[label] for label in path])
    names = [labels.labels[label] for label in path]
    return tuple(label for label in convert_labels(names, scheme) if label is not None)


@lru_cache
def one_by_one(labels: LabelSet, scheme: Scheme) -> tuple[str, ...] | None:
    """Return what each label of the model is called in ``scheme``, if that does not depend on its neighbours."""
    if scheme in _BY_NEIGHBOURS:
        return None
    called: dict[str | None, str] = {OUTSIDE: OUTSIDE}
    for kind in labels.types:
        for length in (1, 2, 3):
            entity, unlabelled = [Span(0, length, kind)], [OUTSIDE] * length
            theirs = write_spans(entity, unlabelled, scheme)
            ours = write_spans(entity, unlabelled, labels.scheme)
            called.update((one, other) for one, other in zip(ours, theirs, strict=True) if other is not None)
    return tuple(called[label] for label in labels.labels)
