"""The packed layout: a bijection between rows and elements, ordered by step, and its shortcuts."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.models.packing import pack

lengths_longest_first = st.lists(st.integers(1, 12), min_size=1, max_size=10).map(lambda found: sorted(found)[::-1])


def elements(lengths: list[int]) -> list[tuple[int, int]]:
    """Return (step, sequence) of every element, step by step."""
    return [(step, i) for step in range(max(lengths)) for i, length in enumerate(lengths) if step < length]


@given(lengths_longest_first)
def test_rows_are_the_elements_step_by_step(lengths: list[int]) -> None:
    packing = pack(lengths)
    assert list(zip(packing.step.tolist(), packing.sequence.tolist(), strict=True)) == elements(lengths)
    assert packing.rows == sum(lengths)


@given(lengths_longest_first)
def test_running_and_offsets_say_where_each_step_stands(lengths: list[int]) -> None:
    packing = pack(lengths)
    steps = [step for step, _ in elements(lengths)]
    assert packing.running == tuple(steps.count(step) for step in range(max(lengths)))
    assert packing.offsets == (*(steps.index(step) for step in range(max(lengths))), len(steps))


@given(lengths_longest_first)
def test_shortcuts_point_at_the_right_elements(lengths: list[int]) -> None:
    packing = pack(lengths)
    rows = elements(lengths)
    for (step, i), mirrored in zip(rows, packing.mirrored.tolist(), strict=True):
        assert rows[mirrored] == (lengths[i] - 1 - step, i)
    for (step, i), previous in zip(rows[len(lengths) :], packing.previous.tolist(), strict=True):
        assert rows[previous] == (step - 1, i)
    assert [rows[last] for last in packing.last.tolist()] == [(length - 1, i) for i, length in enumerate(lengths)]


@given(lengths_longest_first)
def test_indices_lead_from_sequences_written_one_after_the_other(lengths: list[int]) -> None:
    written = [(step, i) for i, length in enumerate(lengths) for step in range(length)]
    assert [written[place] for place in pack(lengths).indices.tolist()] == elements(lengths)


def test_moving_keeps_every_value() -> None:
    packing = pack([3, 1])
    moved = packing.to(torch.device("cpu"))
    assert (moved.running, moved.offsets) == (packing.running, packing.offsets)
    for name in ("sequence", "step", "mirrored", "previous", "last", "indices"):
        assert torch.equal(getattr(moved, name), getattr(packing, name))
