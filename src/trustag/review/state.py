"""The state of a review: the decision log replayed, with the decision in force for every issue."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from trustag.review.entries import Entry, ReviewDecision
from trustag.text.spans import Span


class ReviewState:
    """The decision log in memory: for every issue, the newest verdict that has not been undone is in force."""

    def __init__(self) -> None:
        self.last = 0
        self._history: defaultdict[str, list[Entry]] = defaultdict(list)
        self._undone: set[int] = set()
        self._in_force: dict[str, Entry] = {}
        self._final: defaultdict[int, dict[str, ReviewDecision]] = defaultdict(dict)
        self._batches: defaultdict[int, list[Entry]] = defaultdict(list)
        self._undo_stacks: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, entry: Entry) -> None:
        """Add the next entry of the log."""
        self.last = entry.number
        decision = entry.decision
        self._history[decision.issue].append(entry)
        self._batches[entry.batch].append(entry)
        if entry.undoes is not None:
            self._undone.add(entry.undoes)
        elif decision.verdict != "commented":
            stack = self._undo_stacks[decision.reviewer]
            if not stack or stack[-1] != entry.batch:
                stack.append(entry.batch)
        self._update_in_force(decision)

    def in_force(self, issue: str) -> Entry | None:
        """Return the entry in force for an issue; None while the issue is open."""
        return self._in_force.get(issue)

    def history(self, issue: str) -> Sequence[Entry]:
        """Return all entries on an issue, oldest first."""
        return self._history.get(issue, ())

    def version(self, issue: str) -> int:
        """Return the number of the newest entry on an issue; 0 if there is none."""
        history = self.history(issue)
        return history[-1].number if history else 0

    def entries(self) -> list[Entry]:
        """Return the whole log, oldest first."""
        return sorted((entry for own in self._history.values() for entry in own), key=lambda entry: entry.number)

    def is_undone(self, entry: Entry) -> bool:
        """Return whether an entry has been undone."""
        return entry.number in self._undone

    def batch(self, number: int) -> Sequence[Entry]:
        """Return the entries that were added by one action."""
        return self._batches.get(number, ())

    def last_batch(self, reviewer: str) -> Sequence[Entry]:
        """Return the entries of a reviewer's last action that has not been undone; empty if there is none."""
        stack = self._undo_stacks[reviewer]
        while stack and all(map(self.is_undone, self._batches[stack[-1]])):
            stack.pop()
        return self._batches[stack[-1]] if stack else ()

    def final_decisions(self) -> list[ReviewDecision]:
        """Return the decisions in force that settle labels, in the order in which they were made."""
        entries = sorted(self._in_force.values(), key=lambda entry: entry.number)
        return [entry.decision for entry in entries if entry.decision.is_final]

    def decided_tokens(self, sentence: int) -> frozenset[int]:
        """Return the tokens of a sentence whose labels are decided by decisions in force."""
        decisions = self._final[sentence].values() if sentence in self._final else ()
        return frozenset(token for decision in decisions for token in range(decision.first, decision.end))

    def decided_entities(self, sentence: int, first: int, end: int) -> tuple[Span, ...] | None:
        """Return the entities that a decision in force gave to just these tokens; None if there is none."""
        decisions = self._final[sentence].values() if sentence in self._final else ()
        return next((one.spans for one in decisions if (one.first, one.end) == (first, end)), None)

    def on_forms(self) -> list[Entry]:
        """Return the entries in force on forms, oldest first."""
        entries = (entry for entry in self._in_force.values() if entry.decision.is_on_form)
        return sorted(entries, key=lambda entry: entry.number)

    def _update_in_force(self, decision: ReviewDecision) -> None:
        issue = decision.issue
        valid = (one for one in reversed(self._history[issue]) if one.decision.is_verdict and not self.is_undone(one))
        entry = next(valid, None)
        self._final[decision.sentence].pop(issue, None)
        if entry is None:
            self._in_force.pop(issue, None)
            return
        self._in_force[issue] = entry
        if entry.decision.is_final:
            self._final[decision.sentence][issue] = entry.decision


def replay(entries: Iterable[Entry]) -> ReviewState:
    """Return the state of a review after ``entries``, which are in the order of the log."""
    state = ReviewState()
    for entry in entries:
        state.add(entry)
    return state
