"""Which sentences to review first: those with the most doubt, of many kinds."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

from trustag.issues.grouping import decision_of
from trustag.issues.issue import Issue
from trustag.text.sentences import Sentence

_AGAIN: Final = 0.5
"""What an issue teaches of which the same words in the same way were chosen before, each time."""


@dataclass(frozen=True, slots=True)
class DoubtfulSentence:
    """The number of a sentence, its issues, and how much their answers are expected to teach, in bits."""

    sentence: int
    issues: tuple[Issue, ...]
    worth: float


def sentences_to_review(issues: Sequence[Issue], sentences: Sequence[Sentence], count: int) -> list[DoubtfulSentence]:
    """Return the ``count`` sentences from whose review most is learned, best first.

    An issue teaches most where it is as likely wrong as right, and less the more often the same was chosen before.
    """
    own: dict[int, list[Issue]] = defaultdict(list)
    for issue in issues:
        own[issue.sentence].append(issue)
    seen: Counter[object] = Counter()
    found: list[DoubtfulSentence] = []

    def worth(number: int) -> float:
        return sum(_bits(issue.score) * _AGAIN ** seen[decision_of(issue, sentences)] for issue in own[number])

    # What a sentence is worth only falls, so the best one by old values whose new value is still the best is the best.
    values = {number: worth(number) for number in own}
    while values and len(found) < count:
        number = max(values, key=lambda key: (values[key], -key))
        now = worth(number)
        if now < values[number]:
            values[number] = now
            continue
        found.append(DoubtfulSentence(number, tuple(sorted(own[number], key=lambda issue: issue.first)), now))
        seen.update(decision_of(issue, sentences) for issue in own[number])
        del values[number]
    return found


def _bits(probability: float) -> float:
    """Return how open a question is.

    >>> _bits(0.5), _bits(1.0)
    (1.0, 0.0)
    """
    parts = (probability, 1 - probability)
    return sum(part * log2(1 / part) for part in parts if part > 0)
