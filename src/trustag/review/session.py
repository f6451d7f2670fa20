"""A review session: the queue of issues and forms, the progress, and the actions of reviewers recorded in the log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final, Literal, TypeAlias, cast, get_args

from trustag.errors import InputError
from trustag.issues.forms import Form
from trustag.issues.issue import Issue
from trustag.review.applying import with_decision
from trustag.review.decisions import DecisionLog
from trustag.review.entries import Entry, NewEntry, ReviewDecision, Verdict
from trustag.review.form_decisions import OpenPlaces, entities, place_decisions, verdict_on
from trustag.review.issue_queue import IssueFilter, IssueQueue, QueueOrder, Show, relative, shifted
from trustag.review.reviewed_run import ReviewedRun
from trustag.review.state import ReviewState
from trustag.runs.issue_files import spans_within
from trustag.text.labels import OUTSIDE
from trustag.text.spans import Span, read_spans

IssueStatus: TypeAlias = Literal["open", "skipped", "accepted", "rejected", "edited", "depends", "decided"]


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """How many issues are decided, and which share of the estimated errors they cover."""

    decided: int
    total: int
    covered: float


@dataclass(frozen=True, slots=True)
class ReviewAction:
    """What a reviewer did: a verdict on an issue or a form as they saw it.

    For an edit of an issue, ``spans`` are all entities of the sentence. For an edit of a form, ``label`` is right at
    every occurrence, a type or ``O``. ``exceptions`` are the places to which a decision on a form does not apply.
    """

    issue: str
    version: int
    verdict: Verdict
    reviewer: str
    comment: str = ""
    spans: tuple[Span, ...] = ()
    for_identical: bool = False
    label: str = OUTSIDE
    exceptions: frozenset[str] = frozenset()


class ReviewSession:
    """A run under review, kept up to date with the log whoever writes to it.

    ``order`` is the default order of the queue; a filter may ask for another one.
    """

    def __init__(self, run: ReviewedRun, log: DecisionLog, order: QueueOrder = "worst") -> None:
        self.run = run
        self.order = order
        self.queue = IssueQueue(run)
        self.state = ReviewState()
        self._log = log
        self.places = OpenPlaces(self.queue.forms)
        self._statuses: list[IssueStatus] = ["open"] * len(self.queue.items)
        self._decided = 0
        self._covered = 0.0
        self.refresh()

    def refresh(self) -> None:
        """Read the entries that were added to the log since the last call."""
        for entry in self._log.entries(self.state.last):
            self._update(entry)

    def close(self) -> None:
        """Close the log."""
        self._log.close()

    def issue(self, name: str) -> Issue:
        """Return the issue with that id."""
        if name not in self.queue.rank or self.queue.form(name) is not None:
            raise InputError(f"there is no issue {name!r}", where=self.run.path, remedy="go back to the queue")
        return self.queue.issues[self.queue.rank[name]]

    def status(self, subject: Issue | Form) -> IssueStatus:
        """Return the current status of an issue or a form; a form is decided if all of its places are."""
        return self.status_at(self.queue.rank[subject.id])

    def status_at(self, rank: int) -> IssueStatus:
        """Return the current status of the issue or form with that rank."""
        return self._statuses[rank]

    def progress(self) -> ReviewProgress:
        """Return the progress of the review."""
        total = self.queue.total_score
        return ReviewProgress(self._decided, len(self.queue.issues), self._covered / total if total else 1.0)

    def ranks(self, issue_filter: IssueFilter) -> Sequence[int]:
        """Return the ranks of the issues and forms that match a filter now, in its order."""
        matching, shown = self._matching(issue_filter), _SHOWN[issue_filter.show]
        return [rank for rank in matching if self._statuses[rank] in shown]

    def position(self, issue_filter: IssueFilter, ranks: Sequence[int], rank: int) -> int:
        """Return how many of ``ranks``, sorted in the order of a filter, come before ``rank``."""
        return self.queue.before(ranks, rank, issue_filter.order or self.order)

    def next_rank(self, issue_filter: IssueFilter, after: int | None = None) -> int | None:
        """Return the next undecided issue or form after ``after``, wrapping around; skipped ones come last."""
        matching = self._matching(issue_filter)
        border = 0
        if after is not None:
            border = self.position(issue_filter, matching, after)
            border += matching[border : border + 1] == [after]
        for wanted in ("open", "skipped"):
            in_turn = chain(islice(matching, border, None), islice(matching, border))
            found = next((rank for rank in in_turn if self._statuses[rank] == wanted), None)
            if found is not None:
                return found
        return None

    def _matching(self, issue_filter: IssueFilter) -> Sequence[int]:
        """Return the ranks that match a filter whatever their status, so that one cached list serves all statuses."""
        return self.queue.matching(replace(issue_filter, show="all", order=""), issue_filter.order or self.order)

    def open_identical(self, issue: Issue) -> list[Issue]:
        """Return the other undecided issues with the same words and the same two readings."""
        identical = (self.queue.issues[rank] for rank in self.queue.identical(self.queue.rank[issue.id]))
        return [other for other in identical if other.id != issue.id and self.status(other) in {"open", "skipped"}]

    def entities_elsewhere(self, issue: Issue) -> list[Span]:
        """Return the entities of the sentence outside an issue, as given or as decided."""
        spans: list[Span] = read_spans(self.run.sentences[issue.sentence].labels)
        for other in self._other_decisions(issue):
            spans = with_decision(spans, other)
        return [span for span in spans if span.end <= issue.first or span.start >= issue.end]

    def decide(self, action: ReviewAction) -> list[Entry]:
        """Record an action, for identical cases too if it asks for that, and return the new entries.

        Raises ``ConflictError`` if somebody else has decided on the issue since the reviewer saw it.
        """
        self.refresh()
        form = self.queue.form(action.issue)
        if form is not None:
            return self._add(list(self._on_form(form, action)))
        issue = self.issue(action.issue)
        decision = self._decision(issue, action)
        entries = [NewEntry(decision, action.version)]
        if action.for_identical:
            entries += self._for_identical(issue, decision)
        elif decision.verdict == "edited":
            entries += self._for_overlapping(issue, decision)
        return self._add(entries)

    def undo(self, reviewer: str) -> list[Entry]:
        """Undo the last action of a reviewer where nobody has decided since; return the new entries, if any."""
        self.refresh()
        entries = []
        for entry in self.state.last_batch(reviewer):
            name = entry.decision.issue
            if self.state.in_force(name) == entry:
                tokens = entry.decision.sentence, entry.decision.first, entry.decision.end
                undone = ReviewDecision(name, "undone", *tokens, reviewer=reviewer)
                entries.append(NewEntry(undone, self.state.version(name), undoes=entry.number))
        return self._add(entries) if entries else []

    def _on_form(self, form: Form, action: ReviewAction) -> Iterator[NewEntry]:
        """Yield the verdict on a form, and the decisions on its open places that follow from it."""
        places = [place for place in self.places.of(form) if place.id not in action.exceptions]
        label = form.label if action.verdict == "rejected" else action.label
        verdict = action.verdict
        spans: tuple[Span, ...] = ()
        if verdict in {"rejected", "edited"}:
            if label != OUTSIDE and label not in self.run.types:
                raise InputError(f"unknown type {label!r}", remedy="reload the page")
            if not places:
                raise InputError("no occurrence is left to be decided", remedy="say that it depends, or undo")
            verdict, spans = verdict_on(form.label, label, next(iter(form.seen))), entities(places[0], label)
        elif verdict == "accepted":
            raise InputError("a form is decided by its right label", remedy="choose a type or no entity")
        first = places[0] if places else form.occurrences[0]
        tokens = first.sentence, first.first, first.end, spans
        on_form = ReviewDecision(form.id, verdict, *tokens, action.comment, action.reviewer)
        yield NewEntry(on_form, action.version)
        if verdict in {"accepted", "rejected", "edited"}:
            for decision in place_decisions(form, places, label, action.comment, action.reviewer):
                yield NewEntry(decision, self.state.version(decision.issue))

    def _decision(self, issue: Issue, action: ReviewAction) -> ReviewDecision:
        verdict, first, end = action.verdict, issue.first, issue.end
        if verdict == "depends":
            raise InputError("only a form can depend on the context", remedy="reload the page")
        spans: tuple[Span, ...] = ()
        if verdict == "edited":
            first, end, spans = self._edited(issue, action.spans)
            if (first, end) == (issue.first, issue.end):
                readings: dict[tuple[Span, ...], Verdict] = {issue.given: "rejected", issue.suggested: "accepted"}
                verdict = readings.get(spans, "edited")
        elif verdict in {"accepted", "rejected"}:
            spans = issue.suggested if verdict == "accepted" else issue.given
        return ReviewDecision(issue.id, verdict, issue.sentence, first, end, spans, action.comment, action.reviewer)

    def _edited(self, issue: Issue, spans: tuple[Span, ...]) -> tuple[int, int, tuple[Span, ...]]:
        """Return the first and end token that an edit settles, at least those of the issue, and the entities there."""
        length, reached = len(self.run.sentences[issue.sentence]), 0
        for start, end, kind in sorted(spans):
            if not reached <= start < end <= length or kind not in self.run.types:
                raise InputError("the edited entities overlap or have an unknown type", remedy="reload the page")
            reached = end
        after, before = _entity_by_token(spans), _entity_by_token(self.entities_elsewhere(issue))
        differing = [token for token in range(length) if after.get(token) != before.get(token)]
        first = min([issue.first, *differing])
        end = max([issue.end, *(token + 1 for token in differing)])
        for other in self._other_decisions(issue):
            if other.first < end and other.end > first:
                raise InputError(
                    "the edit changes words that were already decided in another issue", remedy="undo that one first"
                )
        return first, end, tuple(sorted(spans_within(spans, first, end)))

    def _for_identical(self, issue: Issue, decision: ReviewDecision) -> Iterator[NewEntry]:
        """Yield the same decision for all undecided identical cases."""
        if (decision.first, decision.end) != (issue.first, issue.end):
            raise InputError(
                "an edit that reaches beyond the words of the issue cannot be saved for identical cases",
                remedy="save it for this one only",
            )
        spans = relative(decision.spans, issue)
        for other in self.open_identical(issue):
            tokens = other.sentence, other.first, other.end, shifted(spans, other.first)
            same = ReviewDecision(other.id, decision.verdict, *tokens, decision.comment, decision.reviewer)
            yield NewEntry(same, self.state.version(other.id))

    def _for_overlapping(self, issue: Issue, decision: ReviewDecision) -> Iterator[NewEntry]:
        """Yield the same decision for the other issues that share words with an edit."""
        for other in self._others(issue):
            if other.first < decision.end and other.end > decision.first:
                tokens = other.sentence, decision.first, decision.end, decision.spans
                same = ReviewDecision(other.id, "edited", *tokens, decision.comment, decision.reviewer)
                yield NewEntry(same, self.state.version(other.id))

    def _others(self, issue: Issue) -> list[Issue]:
        ranks = self.queue.in_sentence(issue.sentence)
        return [self.queue.issues[rank] for rank in ranks if self.queue.issues[rank].id != issue.id]

    def _other_decisions(self, issue: Issue) -> list[ReviewDecision]:
        entries = [self.state.in_force(other.id) for other in self._others(issue)]
        return [entry.decision for entry in entries if entry is not None and entry.decision.is_final]

    def _add(self, entries: Sequence[NewEntry]) -> list[Entry]:
        added = self._log.add(entries)
        self.refresh()
        return added

    def _update(self, entry: Entry) -> None:
        self.state.add(entry)
        sentence = entry.decision.sentence
        for number in self.places.note_decided(sentence, self.state.decided_tokens(sentence)):
            self._statuses[len(self.queue.issues) + number] = self._form_status(number)
        rank = self.queue.rank.get(entry.decision.issue)
        if rank is None:  # an issue of an earlier training; its decision counts, but it is no longer in the queue
            return
        if rank >= len(self.queue.issues):
            self._statuses[rank] = self._form_status(rank - len(self.queue.issues))
            return
        before, after = self._statuses[rank], self._verdict(entry.decision.issue)
        self._statuses[rank] = after
        step = int(after in _SHOWN["decided"]) - int(before in _SHOWN["decided"])
        self._decided += step
        self._covered += step * self.queue.issues[rank].score

    def _form_status(self, number: int) -> IssueStatus:
        own = self._verdict(self.queue.forms[number].id)
        return "decided" if own in {"open", "skipped"} and not self.places.counts[number] else own

    def _verdict(self, name: str) -> IssueStatus:
        in_force = self.state.in_force(name)
        return "open" if in_force is None else cast("IssueStatus", in_force.decision.verdict)


def _entity_by_token(spans: Sequence[Span]) -> dict[int, Span]:
    """Return the entity that each token belongs to."""
    return {token: span for span in spans for token in range(span.start, span.end)}


_SHOWN: Final[dict[Show, frozenset[IssueStatus]]] = {
    "open": frozenset({"open"}),
    "skipped": frozenset({"skipped"}),
    "decided": frozenset({"accepted", "rejected", "edited", "depends", "decided"}),
    "all": frozenset(get_args(IssueStatus)),
}
