"""Texts on noise rates, for the screen and for the report: where the rates come from and how far to trust them."""

from collections.abc import Iterable
from typing import Final, Protocol

from trustag.reports.number_format import count
from trustag.text.labels import OUTSIDE, canonical_position, split_label

RATE_SOURCES: Final = {
    "auto": "estimated from the labels alone, without errors that repeat",
    "dev": "estimated from the errors on dev of a model trained on the labels as given",
    "trusted": "expected by models that learned from the trusted sentences",
    "pairs": "counted on sentences labelled twice",
    "sources": "expected from how the sources of the labels agree",
    "searched": "found by a search on dev",
    "oracle": "measured on the gold column",
    "given": "set in the recipe",
}

KIND_TEXTS: Final = {
    "missed": "part of an entity that was missed",
    "spurious": "no entity",
    "type": "of a wrong type",
    "boundary": "at a wrong place in the entity",
}
"""What is wrong with a label, by the kind of error."""
_SOURCE_CAVEATS: Final = {
    "pairs": ("They hold for the whole corpus if these sentences were drawn at random.",),
    "auto": (
        "This estimate misses errors that repeat at every occurrence of a word, as in",
        "labels from a dictionary. Reviewing some issues shows how many there are.",
    ),
}
_GROUPS: Final = {
    "S": "{} of one word",
    "B": "first word of {}",
    "I": "inner word of {}",
    "E": "last word of {}",
}
_WIDE_RANGE_CAVEAT: Final = (
    "Little more than a guess: the models learned too little to assess labels.",
    "Word vectors, more sentences or more epochs help.",
)
_BOUNDED_CAVEAT: Final = (
    "The ranges are what dev leaves room for, whatever the noise, if it is text of",
    "this kind. Sentences labelled twice tell more (--noisy).",
)
_WIDE_RANGE: Final = 0.5


def rate_caveats(source: str, ranges: Iterable[tuple[float, float] | None], *, bounded: bool = False) -> list[str]:
    """Return the caveats for noise rates from ``source`` with these ranges, one screen line each.

    ``bounded`` says that the ranges are what dev leaves room for.

    >>> rate_caveats("oracle", [(0.1, 0.9)])
    ['Little more than a guess: the models learned too little to assess labels.', \
'Word vectors, more sentences or more epochs help.']
    """
    if bounded:
        return [*_BOUNDED_CAVEAT]
    lines = list(_SOURCE_CAVEATS.get(source, ()))
    if any(found and found[1] - found[0] > _WIDE_RANGE for found in ranges):
        lines += _WIDE_RANGE_CAVEAT
    return lines


def source_text(source: str, pairs: int = 0, *, bounded: bool = False) -> str:
    """Return where noise rates come from: on how many sentences they were counted, whether dev ``bounded`` them.

    >>> source_text("pairs", 250)
    'counted on 250 sentences labelled twice'
    """
    if bounded:
        return "estimated from the labels, within bounds from dev"
    text = RATE_SOURCES.get(source, source)
    return text.replace("sentences", f"{pairs:,} sentences", 1) if pairs else text


def group_text(group: str, labels: Iterable[str]) -> str:
    """Return what a noise rate is of, a type or one of the ``labels`` of models, in words of no tagging scheme.

    >>> group_text("PER", ["O", "S-PER"]), group_text("S-PER", ["O", "S-PER"])
    ('PER', 'PER of one word')
    """
    if group not in labels or group == OUTSIDE:
        return group
    position, kind = split_label(group)
    return _GROUPS[canonical_position(position)].format(kind)


class TruncatedCounts(Protocol):
    """Labels on a single word of a longer capitalised sequence: how many there are, and what the models predict."""

    @property
    def labels(self) -> int: ...  # noqa: D102
    @property
    def same(self) -> int: ...  # noqa: D102
    @property
    def another(self) -> int: ...  # noqa: D102


def truncated_entity_lines(found: TruncatedCounts) -> list[str]:
    """Return what the models predict for possibly truncated entities, one screen line each."""
    return [
        f"{count(found.labels, 'entity label')} on a single word of a longer capitalised sequence:",
        f"models trained without them predict another entity for {count(found.another)},",
        f"the same label for {count(found.same)}.",
    ]
