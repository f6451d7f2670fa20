"""The state of a review: which decision is in force, what was undone, and what each reviewer can undo."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.review.entries import Entry, ReviewDecision, Verdict
from trustag.review.state import replay


def entry(
    number: int,
    issue: str,
    verdict: Verdict,
    *,
    reviewer: str = "Ann",
    batch: int | None = None,
    undoes: int | None = None,
) -> Entry:
    return Entry(number, batch or number, ReviewDecision(issue, verdict, 0, 0, 1, reviewer=reviewer), undoes)


def test_an_empty_log_has_no_decisions() -> None:
    state = replay([])
    assert (state.last, state.entries(), state.final_decisions()) == (0, [], [])
    assert (state.in_force("a"), state.history("a"), state.version("a")) == (None, (), 0)
    assert (state.batch(1), state.last_batch("Ann")) == ((), ())


def test_history_and_version_follow_every_entry_of_an_issue() -> None:
    entries = [entry(1, "a", "accepted"), entry(2, "b", "rejected"), entry(3, "a", "commented")]
    state = replay(entries)
    assert state.history("a") == [entries[0], entries[2]]
    assert (state.version("a"), state.version("b"), state.last) == (3, 2, 3)
    assert state.in_force("a") == entries[0]  # a comment settles nothing


def test_skipped_issues_have_an_entry_in_force_but_no_final_decision() -> None:
    state = replay([entry(1, "a", "skipped"), entry(2, "b", "edited")])
    assert state.in_force("a") is not None
    assert [decision.issue for decision in state.final_decisions()] == ["b"]


def test_final_decisions_come_in_the_order_in_which_they_were_made() -> None:
    state = replay([entry(1, "b", "accepted"), entry(2, "a", "accepted"), entry(3, "b", "rejected")])
    assert [(one.issue, one.verdict) for one in state.final_decisions()] == [("a", "accepted"), ("b", "rejected")]


def test_the_entries_of_one_action_are_undone_together() -> None:
    first = entry(1, "a", "accepted")
    batch = [entry(2, "b", "rejected", batch=2), entry(3, "c", "rejected", batch=2)]
    bobs = entry(4, "d", "skipped", reviewer="Bob")
    state = replay([first, *batch, bobs])
    assert state.batch(2) == state.last_batch("Ann") == batch
    assert state.last_batch("Bob") == [bobs]
    state.add(entry(5, "b", "undone", batch=5, undoes=2))
    assert state.last_batch("Ann") == batch  # one entry of it is still in force
    state.add(entry(6, "c", "undone", batch=5, undoes=3))
    assert state.last_batch("Ann") == [first]
    assert [state.is_undone(one) for one in (first, *batch)] == [False, True, True]


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["a", "b"]), st.sampled_from(["accepted", "rejected", "skipped", "commented", "undone"])),
    max_size=12,
)


@given(actions=ACTIONS)
def test_the_last_verdict_that_was_not_undone_is_in_force(actions: list[tuple[str, str]]) -> None:
    entries: list[Entry] = []
    stacks: dict[str, list[Entry]] = {"a": [], "b": []}  # the oracle: a stack of verdicts; undo pops one
    for number, (issue, verdict) in enumerate(actions, start=1):
        undoes = None
        if verdict == "undone":
            if not stacks[issue]:
                continue
            undoes = stacks[issue].pop().number
        entries.append(entry(number, issue, verdict, undoes=undoes))  # type: ignore[arg-type]
        if verdict not in {"undone", "commented"}:
            stacks[issue].append(entries[-1])
    state = replay(entries)
    for issue, stack in stacks.items():
        assert state.in_force(issue) == (stack[-1] if stack else None)
    final = [e.decision for s in stacks.values() for e in s[-1:] if e.decision.verdict in {"accepted", "rejected"}]
    assert sorted(state.final_decisions(), key=str) == sorted(final, key=str)
    assert state.entries() == entries
