"""Probabilities of labels as text, so that every format with additional columns can hold them."""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote, unquote

from trustag.errors import InputError
from trustag.text.labels import parse_label

PROBABILITIES: Final = "label_probabilities"
"""The name of the column with the probabilities of the labels of each token, in IOBES."""

_DIGITS: Final = 3
_LEAST: Final = 0.5 * 10**-_DIGITS
_NOTHING: Final = "-"


def write_probabilities(labels: Sequence[str], probabilities: Sequence[float]) -> str:
    """Return the labels that have a probability worth three digits, the most probable first.

    >>> write_probabilities(["O", "B-PER", "S-geo|loc"], [0.25, 0.0, 0.75])
    'S-geo%7Cloc=0.75|O=0.25'
    """
    found = sorted(zip(probabilities, labels, strict=True), key=lambda pair: -pair[0])
    return "|".join(f"{quote(label, safe='')}={round(value, _DIGITS):g}" for value, label in found if value >= _LEAST)


def read_probabilities(text: str) -> Mapping[str, float]:
    """Return what :func:`write_probabilities` wrote, scaled to a sum of 1; ``-`` is no information.

    >>> read_probabilities("S-geo%7Cloc=0.75|O=0.25"), read_probabilities("-")
    ({'S-geo|loc': 0.75, 'O': 0.25}, {})
    """
    if text == _NOTHING:
        return {}
    found: dict[str, float] = {}
    for part in text.split("|"):
        name, _, value = part.rpartition("=")
        label = unquote(name)
        parse_label(label)
        found[label] = _probability(value, text)
    total = sum(found.values())
    if total <= 0:
        raise _unreadable(text)
    return {label: value / total for label, value in found.items()}


def _probability(value: str, text: str) -> float:
    try:
        found = float(value)
    except ValueError:
        raise _unreadable(text) from None
    if not 0 <= found <= 1:
        raise _unreadable(text)
    return found


def _unreadable(text: str) -> InputError:
    return InputError(f"{text!r} are no probabilities of labels", remedy="write them as O=0.25|S-PER=0.75")
