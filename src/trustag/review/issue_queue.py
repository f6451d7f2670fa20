"""The queue of issues: sorted in either order, filtered by kind, type, word and score, identical cases grouped."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from trustag.issues.filtering import ORDERS, Order, in_order
from trustag.issues.issue import Issue, Kind
from trustag.review.reviewed_run import ReviewedRun
from trustag.text.spans import Span

Show: TypeAlias = Literal["open", "skipped", "decided", "all"]


@dataclass(frozen=True, slots=True)
class IssueFilter:
    """Which issues to show, and in which order. An empty field does not restrict; an empty order is the default one.

    ``word`` is matched without regard to case; ``least`` is the lowest score to show.
    """

    kind: Kind | Literal[""] = ""
    type: str = ""
    word: str = ""
    least: float = 0.0
    show: Show = "open"
    order: Order | Literal[""] = ""


class IssueQueue:
    """The issues of a run by rank (0 is the likeliest error), and their positions in every order."""

    def __init__(self, run: ReviewedRun) -> None:
        self.issues = run.issues
        self.rank = {issue.id: rank for rank, issue in enumerate(run.issues)}
        self.words = [" ".join(run.sentences[issue.sentence].tokens[issue.first : issue.end]) for issue in run.issues]
        self.total_score = sum(issue.score for issue in run.issues)
        self._case_folded = [words.casefold() for words in self.words]
        self._types = [frozenset(span.type for span in (*issue.given, *issue.suggested)) for issue in run.issues]
        self._identical: defaultdict[Hashable, list[int]] = defaultdict(list)
        self._in_sentence: defaultdict[int, list[int]] = defaultdict(list)
        for rank, issue in enumerate(run.issues):
            self._identical[self._case(rank)].append(rank)
            self._in_sentence[issue.sentence].append(rank)
        self._in_order = {order: [self.rank[issue.id] for issue in in_order(run.issues, order)] for order in ORDERS}
        self._positions = {order: _positions(ranks) for order, ranks in self._in_order.items()}
        self.matching = lru_cache(maxsize=32)(self._matching)

    def _matching(self, issue_filter: IssueFilter, order: Order) -> Sequence[int]:
        """Return the ranks of all issues that match the filter, decided or not, in ``order``."""
        word, issues = issue_filter.word.casefold(), self.issues
        return [
            rank
            for rank in self._in_order[order]
            if (not issue_filter.kind or issues[rank].kind == issue_filter.kind)
            and issues[rank].score >= issue_filter.least
            and (not issue_filter.type or issue_filter.type in self._types[rank])
            and (not word or word in self._case_folded[rank])
        ]

    def before(self, ranks: Sequence[int], rank: int, order: Order) -> int:
        """Return how many of ``ranks``, which are sorted in ``order``, come before ``rank``."""
        positions = self._positions[order]
        return bisect_left(ranks, positions[rank], key=positions.__getitem__)

    def identical(self, rank: int) -> Sequence[int]:
        """Return the ranks of all issues with the same words and the same two readings, including ``rank``."""
        return self._identical[self._case(rank)]

    def in_sentence(self, sentence: int) -> Sequence[int]:
        """Return the ranks of the issues in a sentence."""
        return self._in_sentence.get(sentence, ())

    def _case(self, rank: int) -> Hashable:
        issue = self.issues[rank]
        return self.words[rank], relative(issue.given, issue), relative(issue.suggested, issue)


def _positions(ranks: Sequence[int]) -> list[int]:
    """Return the inverse of a permutation: the index of each rank in ``ranks``."""
    positions = [0] * len(ranks)
    for position, rank in enumerate(ranks):
        positions[rank] = position
    return positions


def relative(spans: Sequence[Span], issue: Issue) -> tuple[Span, ...]:
    """Return ``spans`` with offsets relative to the first token of an issue."""
    return shifted(spans, -issue.first)


def shifted(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    """Return ``spans`` shifted to the right by that many tokens."""
    return tuple(Span(start + by, end + by, kind) for start, end, kind in spans)
