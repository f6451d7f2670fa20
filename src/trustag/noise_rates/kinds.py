"""Noise by kind: missed entities, and entity labels that are spurious, of a wrong type, or at wrong borders."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

import numpy as np

from trustag.noise_rates.estimates import Indices, Marks, Rate
from trustag.text.label_sets import LabelSet
from trustag.text.labels import split_label

WRONG_ENTITY_LABELS: Final = ("spurious", "type", "boundary")
KINDS: Final = ("missed", *WRONG_ENTITY_LABELS)


@dataclass(frozen=True, slots=True)
class KindRates:
    """The shares of labels with each kind of error.

    ``missed`` is the share of ``O`` labels that are part of an entity. The others are shares of the entity labels, and
    add up to that of the wrong ones: ``spurious`` where there is no entity, ``type`` where there is one of another
    type, ``boundary`` where the type is right and the position in the entity is not. ``by_type`` holds the last three
    for the labels of each type.
    """

    missed: Rate
    spurious: Rate
    type: Rate
    boundary: Rate
    by_type: Mapping[str, Mapping[str, Rate]] = field(default_factory=dict)

    @property
    def of_labels(self) -> tuple[float, float]:
        """The estimated shares of wrong ``O`` labels and of wrong entity labels."""
        return self.missed.estimate, min(1.0, sum(getattr(self, kind).estimate for kind in WRONG_ENTITY_LABELS))

    def summary(self) -> dict[str, object]:
        """Return the same as plain values, for files."""
        found: dict[str, object] = {name: asdict(getattr(self, name)) for name in KINDS}
        by_type = {kind: {name: asdict(rate) for name, rate in own.items()} for kind, own in self.by_type.items()}
        return {**found, "by_type": by_type}


def kind_marks(given: Indices, clean: Indices, labels: LabelSet) -> dict[str, Marks]:
    """Return which labels (tokens,) have each kind of error; tokens with an unknown label (negative) have none.

    >>> labels = LabelSet(("LOC", "PER"), "BI")
    >>> marks = kind_marks(np.array([0, 1, 1, 1, 1]), np.array([1, 0, 3, 2, 1]), labels)
    >>> {kind: found.nonzero()[0].tolist() for kind, found in marks.items()}
    {'missed': [0], 'spurious': [1], 'type': [2], 'boundary': [3]}
    """
    known = (given >= 0) & (clean >= 0)
    types = type_numbers(labels)
    is_entity, truly_entity = known & (given > 0), known & (clean > 0)
    same_type = types[given.clip(0, len(labels))] == types[clean.clip(0, len(labels))]
    return {
        "missed": known & (given == 0) & truly_entity,
        "spurious": is_entity & (clean == 0),
        "type": is_entity & truly_entity & ~same_type,
        "boundary": is_entity & truly_entity & same_type & (given != clean),
    }


def type_numbers(labels: LabelSet) -> Indices:
    """Return the number of the type of each label, -1 for ``O``, and for a label beyond all one of its own."""
    names = [split_label(label)[1] for label in labels.labels[1:]]
    return np.array([-1, *map(labels.types.index, names), len(labels.types)], dtype=np.int64)


def kind_rates(given: Indices, clean: Indices, labels: LabelSet, share: Callable[[Marks, Marks], Rate]) -> KindRates:
    """Return the rates of all kinds; ``share`` gives that of marked labels among chosen ones."""
    marks = kind_marks(given, clean, labels)
    types = type_numbers(labels)[given.clip(0, len(labels))]

    def of(chosen: Marks) -> dict[str, Rate]:
        return {kind: share(chosen & marks[kind], chosen) for kind in WRONG_ENTITY_LABELS}

    by_type = {name: of((given > 0) & (types == number)) for number, name in enumerate(labels.types)}
    return KindRates(share(marks["missed"], given == 0), **of(given > 0), by_type=by_type)
