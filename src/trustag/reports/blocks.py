"""What pages are made of: sections of words, tables, charts and marked sentences, all of them plain values.

Nothing here is markup: texts come from data as they are, and rendering escapes every one of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from trustag.reports.charts.heat_map import Shade
from trustag.reports.charts.svg_shapes import Plot


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; ``lead`` makes it stand out."""

    kind: ClassVar[str] = "words"
    text: str
    lead: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Something the page cannot show, and why."""

    kind: ClassVar[str] = "lack"
    text: str


@dataclass(frozen=True, slots=True)
class Shaded:
    """A cell of a table with a darker or lighter ground, and a second line of smaller words."""

    text: str
    shade: Shade = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header; the first ``named`` cells of a row say what it is about, the others are flush right.

    ``prose`` makes all cells flush left. Texts of data stand in their own direction, hidden characters spelled out.
    """

    kind: ClassVar[str] = "table"
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | Shaded]]
    named: int = 1
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """One chart or several side by side, what they show in words, and the tables behind them."""

    kind: ClassVar[str] = "figure"
    plots: Sequence[Plot]
    caption: str
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks that are shown when asked for."""

    kind: ClassVar[str] = "folded"
    summary: str
    blocks: "Sequence[Block]"


@dataclass(frozen=True, slots=True)
class EntityMark:
    """An entity above or below some words; cut where words before or after it have other marks."""

    name: str
    begins: bool
    ends: bool
    shade: Shade


@dataclass(frozen=True, slots=True)
class Segment:
    """Words with the same marks: the given entity above, the suggested one below; ``details`` are for who points."""

    text: str
    above: EntityMark | None = None
    below: EntityMark | None = None
    at_issue: bool = False
    details: str = ""

    @property
    def is_closed(self) -> bool:
        """Whether no mark goes on after these words."""
        return all(bar is None or bar.ends for bar in (self.above, self.below))


@dataclass(frozen=True, slots=True)
class Gap:
    """Tokens that are left out of a long sentence."""

    tokens: int


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence with its marks, a heading that says the same in words, and the numbers under it.

    The heading is in pieces, our words and those of the corpus, so that each keeps its own direction.
    """

    heading: Sequence[str]
    facts: Sequence[str]
    parts: Sequence[Segment | Gap]


@dataclass(frozen=True, slots=True)
class MarkedSentences:
    """Marked sentences in a row."""

    kind: ClassVar[str] = "sentences"
    sentences: Sequence[MarkedSentence]


Block: TypeAlias = Paragraph | Missing | Table | Figure | Folded | MarkedSentences


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page under a heading; ``anchor`` is its place in the address."""

    anchor: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its title, what it is about, its sections, and what made it."""

    title: str
    subtitle: str
    sections: Sequence[Section]
    made_by: str
