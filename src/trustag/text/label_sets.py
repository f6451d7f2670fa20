"""The labels that a model tells apart, numbered: ``O`` and every position of every type in one tagging scheme."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from trustag.text.labels import OUTSIDE, join_label
from trustag.text.schemes import LETTERS, Scheme

# IOB1 and IOE1 spell an entity by its neighbours: nothing that a model should have to learn.
_SCHEMES: Final = {LETTERS[scheme]: scheme for scheme in Scheme if scheme not in {Scheme.IOB1, Scheme.IOE1}}


@dataclass(frozen=True, slots=False)
class LabelSet:
    """The labels of a task in a fixed order: ``O`` first, then every position of every type.

    The full cross product is used, so a label that the training file happens to lack still has a number.

    >>> LabelSet(("PER",), "BIES").labels
    ('O', 'B-PER', 'I-PER', 'E-PER', 'S-PER')
    """

    types: tuple[str, ...]
    positions: str = "BI"

    @classmethod
    def of(cls, types: tuple[str, ...] | list[str], scheme: Scheme = Scheme.IOBES) -> "LabelSet":
        """Return the labels of ``types`` in ``scheme``.

        >>> LabelSet.of(("ENTITY",), Scheme.IO).labels
        ('O', 'I-ENTITY')
        """
        return cls(tuple(types), LETTERS[scheme])

    @cached_property
    def scheme(self) -> Scheme:
        """The tagging scheme of these labels.

        >>> LabelSet(("PER",), "BIES").scheme
        <Scheme.IOBES: 'IOBES'>
        """
        if self.positions not in _SCHEMES:
            raise ValueError(f"no tagging scheme has the positions {self.positions!r}")
        return _SCHEMES[self.positions]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every label, in index order."""
        return (OUTSIDE, *(join_label(position, kind) for kind in self.types for position in self.positions))

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each label."""
        return {label: i for i, label in enumerate(self.labels)}

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)
