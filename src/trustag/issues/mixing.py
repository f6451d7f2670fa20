"""Forms and single places in one order, so that a reviewer gets the best of both in turn."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TypeVar

from trustag.issues.filtering import in_order
from trustag.issues.forms import Form
from trustag.issues.issue import Issue

First = TypeVar("First")
Second = TypeVar("Second")


def mixed(forms: Iterable[Form], issues: Sequence[Issue]) -> list[Form | Issue]:
    """Return forms that occur more than once, by expected gain, in turn with the places that models are least sure of.

    A form that occurs once is a place like any other; as a place, its boundaries can be changed too.
    """
    frequent = [form for form in forms if len(form.occurrences) > 1 and form.gain > 0.0]
    return list(alternating(frequent, in_order(issues, "unsure")))


def alternating(first: Iterable[First], second: Iterable[Second]) -> Iterator[First | Second]:
    """Yield the values of both in turn; when one ends, the rest of the other follows.

    >>> list(alternating("ab", [1, 2, 3]))
    ['a', 1, 'b', 2, 3]
    """
    nothing = object()
    for pair in zip_longest(first, second, fillvalue=nothing):
        yield from (value for value in pair if value is not nothing)  # type: ignore[misc] # no filling is left
