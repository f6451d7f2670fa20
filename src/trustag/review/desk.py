"""The desk at which people review: what is there to decide, how far they are, and their decisions taken down."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final, Literal, TypeAlias, cast

from trustag.errors import InputError
from trustag.issues.filtering import Order
from trustag.issues.issue import Issue
from trustag.review.applying import with_decision
from trustag.review.decisions import Decision, DecisionLog, Entry, NewEntry, Verdict
from trustag.review.issue_queue import Filter, Queue, Show, relative, shifted
from trustag.review.reviewed_run import ReviewedRun, spans_within
from trustag.review.standing import Standing
from trustag.text.spans import Span, read_spans

State: TypeAlias = Literal["open", "skipped", "accepted", "rejected", "edited"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How many issues are decided, and which share of the estimated errors that covers."""

    decided: int
    total: int
    covered: float


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a person clicked: a verdict on an issue as they saw it, and for an edit all entities of the sentence."""

    issue: str
    version: int
    verdict: Verdict
    reviewer: str
    comment: str = ""
    spans: tuple[Span, ...] = ()
    for_identical: bool = False


class Desk:
    """A run under review. Every answer follows what is in the log by now, whoever wrote it.

    Issues come in ``order`` where somebody who looks at them asks for no other.
    """

    def __init__(self, run: ReviewedRun, log: DecisionLog, order: Order = "worst") -> None:
        self.run = run
        self.order = order
        self.queue = Queue(run)
        self.standing = Standing()
        self._log = log
        self._states: list[State] = ["open"] * len(run.issues)
        self._decided = 0
        self._covered = 0.0
        self.refresh()

    def refresh(self) -> None:
        """Take in what was added to the log since the last look."""
        for entry in self._log.entries(self.standing.last):
            self._take(entry)

    def close(self) -> None:
        """Let go of the log."""
        self._log.close()

    def issue(self, name: str) -> Issue:
        """Return the issue of that name."""
        if name not in self.queue.rank:
            raise InputError(f"there is no issue {name!r}", where=self.run.path, remedy="go back to the queue")
        return self.queue.issues[self.queue.rank[name]]

    def state(self, issue: Issue) -> State:
        """Return how an issue stands."""
        return self._states[self.queue.rank[issue.id]]

    def progress(self) -> Progress:
        """Return how far the review is."""
        total = self.queue.total_score
        return Progress(self._decided, len(self.queue.issues), self._covered / total if total else 1.0)

    def ranks(self, chosen: Filter) -> Sequence[int]:
        """Return the ranks of the issues that fit a filter, as they stand now, in its order."""
        matching, shown = self._matching(chosen), _SHOWN[chosen.show]
        return [rank for rank in matching if self._states[rank] in shown]

    def place(self, chosen: Filter, ranks: Sequence[int], rank: int) -> int:
        """Return how many of ``ranks``, in the order of a filter, come before ``rank``."""
        return self.queue.before(ranks, rank, chosen.order or self.order)

    def next_rank(self, chosen: Filter, after: int | None = None) -> int | None:
        """Return the next issue to decide on behind ``after``, else from the beginning; skipped ones come last."""
        matching = self._matching(chosen)
        border = 0
        if after is not None:
            border = self.place(chosen, matching, after)
            border += matching[border : border + 1] == [after]
        for wanted in ("open", "skipped"):
            in_turn = chain(islice(matching, border, None), islice(matching, border))
            found = next((rank for rank in in_turn if self._states[rank] == wanted), None)
            if found is not None:
                return found
        return None

    def _matching(self, chosen: Filter) -> Sequence[int]:
        """Return what fits a filter however it stands; the same for all that may be shown, so that it is kept once."""
        return self.queue.matching(replace(chosen, show="all", order=""), chosen.order or self.order)

    def open_alike(self, issue: Issue) -> list[Issue]:
        """Return the other issues with the same words and readings on which nobody has decided."""
        alike = (self.queue.issues[rank] for rank in self.queue.identical(self.queue.rank[issue.id]))
        return [other for other in alike if other.id != issue.id and self.state(other) in {"open", "skipped"}]

    def reading_elsewhere(self, issue: Issue) -> list[Span]:
        """Return the entities of the sentence outside an issue, as given or as decided on."""
        spans: list[Span] = read_spans(self.run.sentences[issue.sentence].labels)
        for other in self._others_decided(issue):
            spans = with_decision(spans, other)
        return [span for span in spans if span.end <= issue.first or span.start >= issue.end]

    def decide(self, ruling: Ruling) -> list[Entry]:
        """Take down a ruling, for identical cases too if it says so; raises ``ConflictError`` if someone was faster."""
        self.refresh()
        issue = self.issue(ruling.issue)
        decision = self._decision(issue, ruling)
        entries = [NewEntry(decision, ruling.version)]
        if ruling.for_identical:
            entries += self._repeated(issue, decision)
        elif decision.verdict == "edited":
            entries += self._also_settled(issue, decision)
        return self._add(entries)

    def undo(self, reviewer: str) -> list[Entry]:
        """Take back the last click of a person where nobody has decided since; nothing where there is none."""
        self.refresh()
        entries = []
        for entry in self.standing.last_batch(reviewer):
            name = entry.decision.issue
            if self.standing.in_force(name) == entry:
                place = entry.decision.sentence, entry.decision.first, entry.decision.end
                back = Decision(name, "undone", *place, reviewer=reviewer)
                entries.append(NewEntry(back, self.standing.version(name), undoes=entry.number))
        return self._add(entries) if entries else []

    def _decision(self, issue: Issue, ruling: Ruling) -> Decision:
        verdict, first, end = ruling.verdict, issue.first, issue.end
        spans: tuple[Span, ...] = ()
        if verdict == "edited":
            first, end, spans = self._edited(issue, ruling.spans)
            if (first, end) == (issue.first, issue.end):
                readings: dict[tuple[Span, ...], Verdict] = {issue.given: "rejected", issue.suggested: "accepted"}
                verdict = readings.get(spans, "edited")
        elif verdict in {"accepted", "rejected"}:
            spans = issue.suggested if verdict == "accepted" else issue.given
        return Decision(issue.id, verdict, issue.sentence, first, end, spans, ruling.comment, ruling.reviewer)

    def _edited(self, issue: Issue, spans: tuple[Span, ...]) -> tuple[int, int, tuple[Span, ...]]:
        """Return the tokens that an edit of the sentence changes, those of the issue included, and what is there."""
        length, place = len(self.run.sentences[issue.sentence]), 0
        for start, end, kind in sorted(spans):
            if not place <= start < end <= length or kind not in self.run.types:
                raise InputError("the edited entities overlap or have no known type", remedy="load the page again")
            place = end
        owners, before = _owners(spans), _owners(self.reading_elsewhere(issue))
        differing = [token for token in range(length) if owners.get(token) != before.get(token)]
        first = min([issue.first, *differing])
        end = max([issue.end, *(token + 1 for token in differing)])
        for other in self._others_decided(issue):
            if other.first < end and other.end > first:
                raise InputError(
                    "the edit reaches into words that were decided on in another issue", remedy="undo that one first"
                )
        return first, end, tuple(sorted(spans_within(spans, first, end)))

    def _repeated(self, issue: Issue, decision: Decision) -> Iterator[NewEntry]:
        """Yield the same decision for all identical cases that are open."""
        if (decision.first, decision.end) != (issue.first, issue.end):
            raise InputError("an edit beyond the words of the issue fits no other case", remedy="save it for this one")
        spans = relative(decision.spans, issue)
        for other in self.open_alike(issue):
            place = other.sentence, other.first, other.end, shifted(spans, other.first)
            same = Decision(other.id, decision.verdict, *place, decision.comment, decision.reviewer)
            yield NewEntry(same, self.standing.version(other.id))

    def _also_settled(self, issue: Issue, decision: Decision) -> Iterator[NewEntry]:
        """Yield the same decision for the open issues whose words an edit reaches into."""
        for other in self._others(issue):
            if other.first < decision.end and other.end > decision.first:
                place = other.sentence, decision.first, decision.end, decision.spans
                same = Decision(other.id, "edited", *place, decision.comment, decision.reviewer)
                yield NewEntry(same, self.standing.version(other.id))

    def _others(self, issue: Issue) -> list[Issue]:
        ranks = self.queue.in_sentence(issue.sentence)
        return [self.queue.issues[rank] for rank in ranks if self.queue.issues[rank].id != issue.id]

    def _others_decided(self, issue: Issue) -> list[Decision]:
        entries = [self.standing.in_force(other.id) for other in self._others(issue)]
        return [entry.decision for entry in entries if entry is not None and entry.decision.is_final]

    def _add(self, entries: Sequence[NewEntry]) -> list[Entry]:
        added = self._log.add(entries)
        self.refresh()
        return added

    def _take(self, entry: Entry) -> None:
        self.standing.take(entry)
        rank = self.queue.rank.get(entry.decision.issue)
        if rank is None:  # an issue of an earlier list; its decision stands, but nobody is asked again
            return
        now = self.standing.in_force(entry.decision.issue)
        before = self._states[rank]
        after: State = "open" if now is None else cast("State", now.decision.verdict)
        self._states[rank] = after
        step = int(after in _SHOWN["decided"]) - int(before in _SHOWN["decided"])
        self._decided += step
        self._covered += step * self.queue.issues[rank].score


def _owners(spans: Sequence[Span]) -> dict[int, Span]:
    """Return the entity that each token is part of."""
    return {token: span for span in spans for token in range(span.start, span.end)}


_SHOWN: Final[dict[Show, frozenset[State]]] = {
    "open": frozenset({"open"}),
    "skipped": frozenset({"skipped"}),
    "decided": frozenset({"accepted", "rejected", "edited"}),
    "all": frozenset({"open", "skipped", "accepted", "rejected", "edited"}),
}
