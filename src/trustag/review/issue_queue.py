"""The queue: issues and forms in every order, filtered by kind, type, word and score, identical issues grouped."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from trustag.issues.filtering import in_order, types_of
from trustag.issues.forms import OTHER_BOUNDARIES, Form, find_forms
from trustag.issues.issue import Issue, Kind
from trustag.issues.mixing import mixed
from trustag.review.reviewed_run import ReviewedRun
from trustag.text.labels import OUTSIDE
from trustag.text.spans import Span

Show: TypeAlias = Literal["open", "skipped", "decided", "all"]
QueueOrder: TypeAlias = Literal["mixed", "form", "worst", "unsure"]

QUEUE_ORDERS: Final[tuple[QueueOrder, ...]] = ("mixed", "form", "worst", "unsure")


@dataclass(frozen=True, slots=True)
class IssueFilter:
    """Which issues and forms to show, and in which order. An empty field does not restrict; no order is the default.

    ``word`` is matched without regard to case; ``least`` is the lowest score to show.
    """

    kind: Kind | Literal[""] = ""
    type: str = ""
    word: str = ""
    least: float = 0.0
    show: Show = "open"
    order: QueueOrder | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class QueueItem:
    """What the queue knows of an issue or a form; the score is how likely its given labels are wrong."""

    id: str
    words: str
    score: float
    kinds: frozenset[Kind]
    types: frozenset[str]
    occurrences: int = 0

    @property
    def summary(self) -> str:
        """The kind of an issue, or how often a form occurs."""
        if not self.occurrences:
            return next(iter(self.kinds))
        return "once" if self.occurrences == 1 else f"{self.occurrences:,} times"


class IssueQueue:
    """The issues and forms of a run by rank, and their positions in every order.

    Issues come first, from rank 0 for the likeliest error on, then the forms.
    """

    def __init__(self, run: ReviewedRun) -> None:
        self.issues = run.issues
        self.forms = find_forms(run.sentences, run.issues)
        self.items = [*_issue_items(run), *map(_form_item, self.forms)]
        self.rank = {item.id: rank for rank, item in enumerate(self.items)}
        self._form_of: dict[str, Form] = {}
        for form in self.forms:
            for place in form.occurrences:
                if place.issue is not None and len(form.occurrences) > 1:
                    self._form_of.setdefault(place.issue.id, form)
        self.total_score = sum(issue.score for issue in run.issues)
        self._case_folded = [item.words.casefold() for item in self.items]
        self._identical: defaultdict[Hashable, list[int]] = defaultdict(list)
        self._in_sentence: defaultdict[int, list[int]] = defaultdict(list)
        for rank, issue in enumerate(run.issues):
            self._identical[self._case(rank)].append(rank)
            self._in_sentence[issue.sentence].append(rank)
        self._in_order = {order: [self.rank[one.id] for one in self._sorted(order)] for order in QUEUE_ORDERS}
        self._positions = {order: self._positions_of(ranks) for order, ranks in self._in_order.items()}
        self.matching = lru_cache(maxsize=32)(self._matching)

    def form(self, name: str) -> Form | None:
        """Return the form with that id, if it is one."""
        number = self.rank.get(name, 0) - len(self.issues)
        return self.forms[number] if number >= 0 else None

    def form_of(self, issue: Issue) -> Form | None:
        """Return the form of which an issue is one of several places, if it is."""
        return self._form_of.get(issue.id)

    def _sorted(self, order: QueueOrder) -> Sequence[Issue | Form]:
        if order == "form":
            return self.forms
        if order == "mixed":
            return mixed(self.forms, self.issues)
        if order == "unsure":
            return in_order(self.issues, order)
        worst: list[Issue] = sorted(self.issues, key=self._worst_first)
        return worst

    def _worst_first(self, issue: Issue) -> tuple[float, int, int, int]:
        """Return what issues are sorted by: their score as it is shown, then how many a decision can settle at once.

        Many scores are nearly 1. Among those with the same, sentences stay in the order of the corpus.
        """
        identical = len(self._identical[self._case(self.rank[issue.id])])
        return -round(issue.score, 2), -identical, issue.sentence, issue.first

    def _matching(self, issue_filter: IssueFilter, order: QueueOrder) -> Sequence[int]:
        """Return the ranks of all issues and forms that match the filter, decided or not, in ``order``."""
        word, items = issue_filter.word.casefold(), self.items
        return [
            rank
            for rank in self._in_order[order]
            if (not issue_filter.kind or issue_filter.kind in items[rank].kinds)
            and items[rank].score >= issue_filter.least
            and (not issue_filter.type or issue_filter.type in items[rank].types)
            and (not word or word in self._case_folded[rank])
        ]

    def before(self, ranks: Sequence[int], rank: int, order: QueueOrder) -> int:
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
        return self.items[rank].words, relative(issue.given, issue), relative(issue.suggested, issue)

    def _positions_of(self, ranks: Sequence[int]) -> list[int]:
        """Return the index of each rank in ``ranks``; those that are not among them come last."""
        positions = [len(ranks)] * len(self.items)
        for position, rank in enumerate(ranks):
            positions[rank] = position
        return positions


def _issue_items(run: ReviewedRun) -> Iterator[QueueItem]:
    for issue in run.issues:
        words = " ".join(run.sentences[issue.sentence].tokens[issue.first : issue.end])
        yield QueueItem(issue.id, words, issue.score, frozenset({issue.kind}), frozenset(types_of(issue)))


def _form_item(form: Form) -> QueueItem:
    kinds = frozenset(place.issue.kind for place in form.occurrences if place.issue is not None)
    types = frozenset({form.label, *form.seen} - {OUTSIDE, OTHER_BOUNDARIES})
    return QueueItem(form.id, form.text, form.doubt, kinds, types, len(form.occurrences))


def relative(spans: Sequence[Span], issue: Issue) -> tuple[Span, ...]:
    """Return ``spans`` with offsets relative to the first token of an issue."""
    return shifted(spans, -issue.first)


def shifted(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    """Return ``spans`` shifted to the right by that many tokens."""
    return tuple(Span(start + by, end + by, kind) for start, end, kind in spans)
