"""Blocks: each kind has a name of its own for the templates, and a segment is closed where no mark goes on."""

from itertools import product
from typing import get_args

from trustag.reports.blocks import Bar, Block, Segment


def test_every_kind_of_block_has_a_name_of_its_own() -> None:
    kinds = [block.kind for block in get_args(Block)]
    assert len(set(kinds)) == len(kinds) == 6


def test_a_segment_is_closed_where_both_marks_end_or_are_not_there() -> None:
    bars = [None, Bar("X", begins=True, ends=True, shade=1), Bar("X", begins=True, ends=False, shade=1)]
    for above, below in product(bars, bars):
        open_marks = [bar for bar in (above, below) if bar is not None and not bar.ends]
        assert Segment("words", above, below).is_closed == (not open_marks)
