"""The methods there are: what each changes in a recipe."""

import difflib
from collections.abc import Mapping
from typing import Final

from trustag.errors import InputError

METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "confidence": (),
    "self-training": (
        "rates.source=given",
        "rates.negative=0.0",
        "rates.positive=0.0",
        "rates.later=same",
        "confidence.common_words=believed",
        "confidence.cut_names=believed",
        "confidence.tellings=0",
    ),
    "bilstm-crf": ("rounds.count=0",),
}


def method_changes(name: str) -> tuple[str, ...]:
    """Return the ``section.key=value`` changes that make a recipe follow the method called ``name``.

    >>> method_changes("bilstm-crf")
    ('rounds.count=0',)
    """
    if name not in METHODS:
        close = difflib.get_close_matches(str(name), METHODS, n=1)
        remedy = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(METHODS)}"
        raise InputError(f"no method called {name!r}", remedy=remedy)
    return METHODS[name]
