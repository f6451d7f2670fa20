"""The queue of issues: in either order, filtered by kind, type, word and score, with identical cases grouped."""

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
class Filter:
    """Which issues to look at, and in which order; what is empty does not restrict, or is as the desk has it.

    ``word`` is looked for without regard to case.
    """

    kind: Kind | Literal[""] = ""
    type: str = ""
    word: str = ""
    least: float = 0.0
    show: Show = "open"
    order: Order | Literal[""] = ""


class Queue:
    """The issues of a run by rank, of which 0 is the likeliest error, and the place of each in every order."""

    def __init__(self, run: ReviewedRun) -> None:
        self.issues = run.issues
        self.rank = {issue.id: rank for rank, issue in enumerate(run.issues)}
        self.words = [" ".join(run.sentences[issue.sentence].tokens[issue.first : issue.end]) for issue in run.issues]
        self.total_score = sum(issue.score for issue in run.issues)
        self._folded = [words.casefold() for words in self.words]
        self._types = [frozenset(span.type for span in (*issue.given, *issue.suggested)) for issue in run.issues]
        self._alike: defaultdict[Hashable, list[int]] = defaultdict(list)
        self._in_sentence: defaultdict[int, list[int]] = defaultdict(list)
        for rank, issue in enumerate(run.issues):
            self._alike[self._case(rank)].append(rank)
            self._in_sentence[issue.sentence].append(rank)
        self._in_order = {order: [self.rank[issue.id] for issue in in_order(run.issues, order)] for order in ORDERS}
        self._place = {order: _places(ranks) for order, ranks in self._in_order.items()}
        self.matching = lru_cache(maxsize=32)(self._matching)

    def _matching(self, chosen: Filter, order: Order) -> Sequence[int]:
        """Return, in an order, the ranks of all issues that fit the filter, whatever was decided on them."""
        word, issues = chosen.word.casefold(), self.issues
        return [
            rank
            for rank in self._in_order[order]
            if (not chosen.kind or issues[rank].kind == chosen.kind)
            and issues[rank].score >= chosen.least
            and (not chosen.type or chosen.type in self._types[rank])
            and (not word or word in self._folded[rank])
        ]

    def before(self, ranks: Sequence[int], rank: int, order: Order) -> int:
        """Return how many of ``ranks``, which are in that order, come before ``rank``."""
        place = self._place[order]
        return bisect_left(ranks, place[rank], key=place.__getitem__)

    def identical(self, rank: int) -> Sequence[int]:
        """Return the ranks of all issues with the same words and the same two readings, the one at ``rank`` too."""
        return self._alike[self._case(rank)]

    def in_sentence(self, sentence: int) -> Sequence[int]:
        """Return the ranks of the issues of a sentence."""
        return self._in_sentence.get(sentence, ())

    def _case(self, rank: int) -> Hashable:
        issue = self.issues[rank]
        return self.words[rank], relative(issue.given, issue), relative(issue.suggested, issue)


def _places(ranks: Sequence[int]) -> list[int]:
    """Return the place of each rank in a sequence of all of them."""
    places = [0] * len(ranks)
    for place, rank in enumerate(ranks):
        places[rank] = place
    return places


def relative(spans: Sequence[Span], issue: Issue) -> tuple[Span, ...]:
    """Return ``spans`` counted from the first token of an issue."""
    return shifted(spans, -issue.first)


def shifted(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    """Return ``spans`` so many tokens further right."""
    return tuple(Span(start + by, end + by, kind) for start, end, kind in spans)
