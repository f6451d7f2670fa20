"""How the issues stand after everything that is in the log: what is in force, what was taken back, by whom."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from trustag.review.decisions import Decision, Entry


class Standing:
    """The log, folded: for every issue the newest entry that says something and was not taken back is in force."""

    def __init__(self) -> None:
        self.last = 0
        self._history: defaultdict[str, list[Entry]] = defaultdict(list)
        self._taken_back: set[int] = set()
        self._in_force: dict[str, Entry] = {}
        self._batches: defaultdict[int, list[Entry]] = defaultdict(list)
        self._stacks: defaultdict[str, list[int]] = defaultdict(list)

    def take(self, entry: Entry) -> None:
        """Add the next entry of the log."""
        self.last = entry.number
        decision = entry.decision
        self._history[decision.issue].append(entry)
        self._batches[entry.batch].append(entry)
        if entry.undoes is not None:
            self._taken_back.add(entry.undoes)
        elif decision.verdict != "commented":
            stack = self._stacks[decision.reviewer]
            if not stack or stack[-1] != entry.batch:
                stack.append(entry.batch)
        self._settle(decision.issue)

    def in_force(self, issue: str) -> Entry | None:
        """Return the entry that counts for an issue; none where it is open."""
        return self._in_force.get(issue)

    def history(self, issue: str) -> Sequence[Entry]:
        """Return everything the log holds of an issue, oldest first."""
        return self._history.get(issue, ())

    def version(self, issue: str) -> int:
        """Return the number of the newest entry on an issue, 0 where there is none."""
        history = self.history(issue)
        return history[-1].number if history else 0

    def entries(self) -> list[Entry]:
        """Return the whole log, oldest first."""
        return sorted((entry for own in self._history.values() for entry in own), key=lambda entry: entry.number)

    def is_taken_back(self, entry: Entry) -> bool:
        """Tell whether an entry was undone."""
        return entry.number in self._taken_back

    def batch(self, number: int) -> Sequence[Entry]:
        """Return the entries of one click."""
        return self._batches.get(number, ())

    def last_batch(self, reviewer: str) -> Sequence[Entry]:
        """Return the last click of a person that has not been undone; nothing where there is none."""
        stack = self._stacks[reviewer]
        while stack and all(map(self.is_taken_back, self._batches[stack[-1]])):
            stack.pop()
        return self._batches[stack[-1]] if stack else ()

    def final_decisions(self) -> list[Decision]:
        """Return the decisions on labels that are in force, in the order in which they were made."""
        entries = sorted(self._in_force.values(), key=lambda entry: entry.number)
        return [entry.decision for entry in entries if entry.decision.is_final]

    def _settle(self, issue: str) -> None:
        for entry in reversed(self._history[issue]):
            says_something = entry.decision.is_final or entry.decision.verdict == "skipped"
            if says_something and not self.is_taken_back(entry):
                self._in_force[issue] = entry
                return
        self._in_force.pop(issue, None)


def folded(entries: Iterable[Entry]) -> Standing:
    """Return how issues stand after ``entries``."""
    standing = Standing()
    for entry in entries:
        standing.take(entry)
    return standing
