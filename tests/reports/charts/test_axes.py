"""Axes: ticks are round and few, and values stay inside."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from trustag.reports.charts.axes import Axis, Frame, spanning

VALUES = st.floats(-1e6, 1e6)


SHARES = st.floats(0, 1)


@given(VALUES, st.floats(1e-3, 1e6), st.booleans())
def test_ticks_are_few_inside_and_evenly_spaced(low: float, width: float, whole: bool) -> None:
    axis = Axis("x", low, low + width, whole=whole)
    ticks = axis.ticks()
    room = 1e-6 * max(1, abs(low), width)
    assert len(ticks) <= 6
    assert all(low - room <= tick <= low + width + room for tick in ticks)
    steps = [after - before for before, after in pairwise(ticks)]
    assert all(abs(step - steps[0]) <= room for step in steps)
    assert not whole or all(tick == round(tick) for tick in ticks)


def test_an_axis_without_width_still_has_a_tick() -> None:
    assert Axis("x", 3, 3).ticks() == [3]
    assert Frame(Axis("x", 3, 3), Axis("y", 0, 1), 0, 0, 100, 100).across(3) == 50


@given(st.lists(SHARES, min_size=1))
def test_shares_never_leave_their_axis(values: list[float]) -> None:
    axis = spanning("share", values, percent=True)
    assert 0 <= axis.low <= min(values) <= max(values) <= axis.high <= 1
