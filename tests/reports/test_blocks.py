"""Parts of a page: every kind of block has a template."""

from typing import get_args

from trustag.reports.blocks import (
    Beside,
    Block,
    EntityMark,
    Figure,
    Folded,
    MarkedSentence,
    MarkedSentences,
    Missing,
    Page,
    PageSection,
    Paragraph,
    Segment,
    Table,
)
from trustag.reports.rendering import render

BLOCKS: list[Block] = [
    Paragraph("a paragraph"),
    Missing("something missing"),
    Table("a table", ("x",), [["a cell"]]),
    Figure([], "a figure", []),
    Folded("a summary", [Paragraph("a hidden paragraph")]),
    Beside([Paragraph("a paragraph on the left")]),
    MarkedSentences([MarkedSentence(["a heading"], ["a fact"], [Segment("a word")])]),
]


def test_every_kind_of_block_is_rendered() -> None:
    assert {type(block) for block in BLOCKS} == set(get_args(Block))
    text = render(Page("t", "s", [PageSection("a", "A", BLOCKS)], "m")).decode()
    for words in (
        "a paragraph",
        "something missing",
        "a cell",
        "a figure",
        "a hidden paragraph",
        "a paragraph on the left",
        "a heading",
        "a fact",
    ):
        assert words in text


def test_a_segment_is_closed_where_all_its_marks_end() -> None:
    ends, continues = EntityMark("PER", True, True, 1), EntityMark("PER", True, False, 1)
    assert Segment("w").is_closed
    assert Segment("w", above=ends, below=ends).is_closed
    assert not Segment("w", above=ends, below=continues).is_closed
