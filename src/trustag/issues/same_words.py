"""Doubt shared among the occurrences of a word with the same label: a name is mostly right or wrong everywhere alike.

Annotators, dictionaries above all, label a name by the name. Models see it in different sentences, some of which say
little, and are unsure there of what they know elsewhere. So half of the evidence against a label is the mean over all
occurrences of the word with the same label. Forms of a word count as one: whatever begins with the same letters,
regardless of case. Words in lower case that are labelled ``O`` are no names and keep their own evidence.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.issues.ranking import Numbers, from_log_odds, log_odds

_SHARED: Final = 0.5
_LETTERS: Final = 6


def shared_doubt(wrong: Numbers, words: Iterable[str], given: npt.NDArray[np.integer[Any]]) -> Numbers:
    """Return how likely labels are wrong, numbered in ``given`` with ``O`` as 0, when each counts for its word.

    >>> shared_doubt(np.array([0.9, 0.5, 0.5]), ["Bonn", "BONN", "Bonn"], np.array([0, 0, 3])).round(2).tolist()
    [0.84, 0.63, 0.5]
    """
    occurrences: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for index, (word, label) in enumerate(zip(words, given.tolist(), strict=True)):
        if label > 0 or word[:1].isupper():
            occurrences[word.casefold()[:_LETTERS], label].append(index)
    odds = log_odds(wrong)
    shared = odds.copy()
    for same in occurrences.values():
        if len(same) > 1:
            shared[same] = (1 - _SHARED) * odds[same] + _SHARED * odds[same].mean()
    return from_log_odds(shared)
