"""Numbers, durations and labels as readable text."""

from typing import Final

from trustag.text.labels import OUTSIDE, Label

UNKNOWN: Final = "unknown"


def count(number: int, name: str = "", names: str = "") -> str:
    """Return a number with its noun in the singular or plural.

    >>> count(1, "label"), count(2000, "label"), count(0, "entity", "entities")
    ('1 label', '2,000 labels', '0 entities')
    """
    if not name:
        return f"{number:,}"
    return f"{number:,} {name if number == 1 else names or name + 's'}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share in percent; empty where it is unknown.

    >>> percent(0.1234), percent(None)
    ('12.3 %', '')
    """
    return "" if share is None else f"{100 * share:.{digits}f} %"


def figure(value: float | None, digits: int = 2) -> str:
    """Return a score or probability; empty where it is unknown.

    >>> figure(0.5), figure(None)
    ('0.50', '')
    """
    return "" if value is None else f"{value:.{digits}f}"


def f1(value: float | None) -> str:
    """Return an F1, precision or recall in percent with two digits.

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
    """Return the name of a label or type in tables.

    >>> label_name(None), label_name("PER")
    ('unknown', 'PER')
    """
    return UNKNOWN if label is None else label


def in_table_order(labels: set[Label]) -> list[Label]:
    """Return types in the order of table rows: ``O`` first, then by name, unknown last.

    >>> in_table_order({None, "PER", "O", "LOC"})
    ['O', 'LOC', 'PER', None]
    """
    return sorted(labels, key=lambda label: (label is None, label != OUTSIDE, label or ""))


def duration(seconds: float) -> str:
    """Return a duration in hours, minutes and seconds.

    >>> duration(75), duration(7384)
    ('1 min 15 s', '2 h 3 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
