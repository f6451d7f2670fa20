"""How numbers and labels are written for people."""

from collections.abc import Iterable
from typing import Final, Protocol

from trustag.text.labels import OUTSIDE, Label

UNKNOWN: Final = "unknown"
RATE_SOURCES: Final = {
    "auto": "estimated from the labels alone",
    "dev": "from what a model of the labels gets wrong on dev",
    "searched": "searched on dev",
    "oracle": "measured on the gold column",
    "given": "as given",
}

# What every reader of such rates must know.
_RATE_CAVEATS: Final = {
    "auto": (
        "Errors that come back wherever a word occurs do not show here: labels from",
        "a dictionary have them. Reviewing some issues tells how many there are.",
    ),
}

_GUESSED: Final = (
    "Little more than a guess: the models learned too little to judge labels.",
    "Word vectors, more sentences or more epochs help.",
)
_VAGUE: Final = 0.5


def rate_caveats(source: str, ranges: Iterable[tuple[float, float] | None]) -> list[str]:
    """Return what must be said of noise rates from ``source`` with these ranges, in lines of a screen.

    >>> rate_caveats("oracle", [(0.1, 0.9)])
    ['Little more than a guess: the models learned too little to judge labels.', \
'Word vectors, more sentences or more epochs help.']
    """
    lines = list(_RATE_CAVEATS.get(source, ()))
    if any(found and found[1] - found[0] > _VAGUE for found in ranges):
        lines += _GUESSED
    return lines


class CutNames(Protocol):
    """What was said of labels of one word of a longer name: how many there are, and how many of them each way."""

    @property
    def labels(self) -> int: ...  # noqa: D102
    @property
    def same(self) -> int: ...  # noqa: D102
    @property
    def another(self) -> int: ...  # noqa: D102


def cut_names_in_words(found: CutNames) -> list[str]:
    """Return what is known of labels of one word of a longer name, in lines of a screen."""
    return [
        f"Of {count(found.labels, 'label')} on one word of a longer run of capitalised words,",
        f"models that were told none see {count(found.another)} as part of another entity,",
        f"{count(found.same)} as labelled.",
    ]


def count(number: int, name: str = "", names: str = "") -> str:
    """Return a number with the thing it counts, in the right number.

    >>> count(1, "label"), count(2000, "label"), count(0, "entity", "entities")
    ('1 label', '2,000 labels', '0 entities')
    """
    if not name:
        return f"{number:,}"
    return f"{number:,} {name if number == 1 else names or name + 's'}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share in percent; nothing where it is not known.

    >>> percent(0.1234), percent(None)
    ('12.3 %', '')
    """
    return "" if share is None else f"{100 * share:.{digits}f} %"


def figure(value: float | None, digits: int = 2) -> str:
    """Return a score or probability; nothing where it is not known.

    >>> figure(0.5), figure(None)
    ('0.50', '')
    """
    return "" if value is None else f"{value:.{digits}f}"


def f1(value: float | None) -> str:
    """Return an F1, precision or recall as papers write it.

    >>> f1(0.8704)
    '87.04'
    """
    return "" if value is None else f"{100 * value:.2f}"


def interval(low: float, high: float) -> str:
    """Return a range in percent.

    >>> interval(0.05, 0.1)
    '5.0 to 10.0 %'
    """
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def label_name(label: Label) -> str:
    """Return a label or type as tables call it.

    >>> label_name(None), label_name("PER")
    ('unknown', 'PER')
    """
    return UNKNOWN if label is None else label


def in_order(labels: set[Label]) -> list[Label]:
    """Return types in the order of tables: ``O`` first, then by name, unknown last.

    >>> in_order({None, "PER", "O", "LOC"})
    ['O', 'LOC', 'PER', None]
    """
    return sorted(labels, key=lambda label: (label is None, label != OUTSIDE, label or ""))


def duration(seconds: float) -> str:
    """Return how long something took.

    >>> duration(75), duration(7384)
    ('1 min 15 s', '2 h 3 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
