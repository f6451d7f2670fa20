"""Issues that are one decision made many times: the same words, given and suggested in the same way everywhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from trustag.issues.issue import Issue
from trustag.text.labels import OUTSIDE
from trustag.text.scripts import in_words
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

Decision: TypeAlias = tuple[tuple[str, ...], tuple[Span, ...], tuple[Span, ...]]


@dataclass(frozen=True, slots=True)
class Group:
    """The issues of one decision, worst first; the first speaks for all of them."""

    words: tuple[str, ...]
    issues: tuple[Issue, ...]

    @property
    def worst(self) -> Issue:
        """The issue with the highest score."""
        return self.issues[0]

    def in_words(self) -> str:
        """Return the decision as a sentence.

        >>> issue = Issue(0, 3, 4, "type", (Span(3, 4, "PER"),), (Span(3, 4, "ORG"),), 0.9, 0.1, 0.8)
        >>> Group(("Reuters",), (issue,) * 14).in_words()
        '`Reuters` given PER 14 times, predicted ORG'
        """
        times = "once" if len(self.issues) == 1 else f"{len(self.issues):,} times"
        readings = self.worst.given, self.worst.suggested
        given, predicted = (reading_in_words(reading, self.worst, self.words) for reading in readings)
        return f"`{in_words(self.words)}` given {given} {times}, predicted {predicted}"


def decision_of(issue: Issue, sentences: Sequence[Sentence]) -> Decision:
    """Return what makes two issues the same decision: their words, and both readings counted from the first word."""
    given, suggested = (
        tuple(Span(start - issue.first, end - issue.first, kind) for start, end, kind in reading)
        for reading in (issue.given, issue.suggested)
    )
    return sentences[issue.sentence].tokens[issue.first : issue.end], given, suggested


def group_issues(issues: Sequence[Issue], sentences: Sequence[Sentence]) -> list[Group]:
    """Return issues grouped by decision; groups and the issues in each keep the order they come in."""
    groups: dict[Decision, list[Issue]] = {}
    for issue in issues:
        groups.setdefault(decision_of(issue, sentences), []).append(issue)
    return [Group(words, tuple(own)) for (words, _, _), own in groups.items()]


def varied(issues: Sequence[Issue], sentences: Sequence[Sentence], count: int) -> list[Issue]:
    """Return the worst issues for a first look; missed entities and others take turns, since they are unlike.

    No sentence and no first word appears twice, so that one frequent slip does not hide all others.
    """
    missed = [issue for issue in issues if not issue.given]
    others = [issue for issue in issues if issue.given]
    sentences_shown: set[int] = set()
    words: set[str] = set()
    chosen: list[Issue] = []
    for issue in (issue for turn in zip_longest(others, missed) for issue in turn if issue is not None):
        if len(chosen) == count:
            break
        word = sentences[issue.sentence].tokens[issue.first].casefold()
        if issue.sentence not in sentences_shown and word not in words:
            sentences_shown.add(issue.sentence)
            words.add(word)
            chosen.append(issue)
    return chosen


def reading_in_words(reading: Sequence[Span], issue: Issue, words: Sequence[str]) -> str:
    """Return a reading of an issue, whose own words are given: types, with words where not all are meant; O for none.

    >>> issue = Issue(0, 3, 5, "boundary", (Span(3, 5, "PER"),), (Span(4, 5, "ORG"),), 0.9, 0.1, 0.8)
    >>> [reading_in_words(reading, issue, ("the", "Tigers")) for reading in (issue.given, issue.suggested, ())]
    ['PER', 'ORG `Tigers`', 'O']
    """
    return " + ".join(_entity_in_words(span, issue, words) for span in reading) or OUTSIDE


def _entity_in_words(span: Span, issue: Issue, words: Sequence[str]) -> str:
    own = words[span.start - issue.first : span.end - issue.first]
    return span.type if len(own) == len(words) else f"{span.type} `{in_words(own)}`"
