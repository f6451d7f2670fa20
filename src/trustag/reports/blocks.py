"""The parts of a page as plain values: sections of paragraphs, tables, charts and marked sentences.

None of these texts is markup: they come from data unchanged, and rendering escapes every one of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from trustag.reports.charts.heat_map import Shade
from trustag.reports.charts.svg_shapes import Plot


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; a ``lead`` paragraph is set larger."""

    kind: ClassVar[str] = "paragraph"
    text: str
    lead: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that the page cannot show, and why."""

    kind: ClassVar[str] = "missing"
    text: str


@dataclass(frozen=True, slots=True)
class Shaded:
    """A table cell with a darker or lighter background, and a second line in small print."""

    text: str
    shade: Shade = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a header; the first ``named`` cells of a row name it and are flush left, the others flush right.

    ``prose`` makes all cells flush left. Texts of data keep their own direction, and hidden characters are spelled out.
    """

    kind: ClassVar[str] = "table"
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | Shaded]]
    named: int = 1
    prose: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """Charts side by side, a caption, and the tables of their numbers."""

    kind: ClassVar[str] = "figure"
    plots: Sequence[Plot]
    caption: str
    tables: Sequence[Table]


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks that are collapsed until the reader opens them."""

    kind: ClassVar[str] = "folded"
    summary: str
    blocks: "Sequence[Block]"


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks side by side, below each other on a narrow screen."""

    kind: ClassVar[str] = "beside"
    blocks: "Sequence[Block]"


@dataclass(frozen=True, slots=True)
class EntityMark:
    """An entity above or below some words; split where the words before or after have other marks."""

    name: str
    begins: bool
    ends: bool
    shade: Shade


@dataclass(frozen=True, slots=True)
class Segment:
    """Words with the same marks: the given entity above, the suggested one below; ``details`` are the tooltip."""

    text: str
    above: EntityMark | None = None
    below: EntityMark | None = None
    at_issue: bool = False
    details: str = ""

    @property
    def is_closed(self) -> bool:
        """Whether no mark continues after these words."""
        return all(bar is None or bar.ends for bar in (self.above, self.below))


@dataclass(frozen=True, slots=True)
class Gap:
    """Tokens of a long sentence that are not shown."""

    tokens: int


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence with its marks, a heading that states the same in words, and the numbers below it.

    The heading consists of parts, our words and those of the corpus, so that each keeps its own direction.
    """

    heading: Sequence[str]
    facts: Sequence[str]
    parts: Sequence[Segment | Gap]


@dataclass(frozen=True, slots=True)
class MarkedSentences:
    """Marked sentences below each other."""

    kind: ClassVar[str] = "sentences"
    sentences: Sequence[MarkedSentence]


Block: TypeAlias = Paragraph | Missing | Table | Figure | Folded | Beside | MarkedSentences


@dataclass(frozen=True, slots=True)
class PageSection:
    """A part of a page under a heading; ``anchor`` is its fragment in the address.

    A ``folded`` section is collapsed until the reader opens it, or follows a link to it; its ``digest`` says in some
    words what is in it.
    """

    anchor: str
    title: str
    blocks: Sequence[Block]
    digest: str = ""
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A page: title, subtitle, sections, and the program that made it."""

    title: str
    subtitle: str
    sections: Sequence[PageSection]
    made_by: str
