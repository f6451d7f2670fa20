"""The drawing of the case study: each token with its labels below, and a box around distrusted or missed labels.

All text is on a grid of cells, one per letter of a monospaced font, so that no text has to be measured.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from trustag.errors import printable
from trustag.figures.canvas import BLUE, GREY, VERMILLION
from trustag.figures.case_study import Case, CaseStudy, CaseToken, Verdict
from trustag.text.labels import OUTSIDE, UNKNOWN_MARK, Label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FONT_POINTS: Final = 8
_CELL_INCHES: Final = 0.602 * _FONT_POINTS / 72  # the width of a letter of DejaVu Sans Mono
_ROW_INCHES: Final = 0.165
_LINE_CELLS: Final = 104  # width of a line of tokens
_NAME_CELLS: Final = 13  # width of the row names before it
_TOKEN_CELLS: Final = 26  # longer texts are truncated
_MOST_TOKENS: Final = 80
_WIDE: Final = (range(0x0590, 0x1E00), range(0x2E80, 0x110000))  # Hebrew to Cherokee and beyond; Chinese to emoji


@dataclass(frozen=True, slots=True)
class _Look:
    """The appearance of a verdict: a mark under the token, a box around it, and its meaning in the legend."""

    mark: str
    fill: str
    edge: str
    dashes: str
    meaning: str


_LOOKS: Final[dict[Verdict, _Look]] = {
    "found": _Look("✓", "#d3e8f6", BLUE, "-", "found: distrusted and wrong"),
    "false alarm": _Look("✗", "#fbdcc8", VERMILLION, "--", "false alarm: distrusted but correct"),
    "missed": _Look("!", "#ffffff", "#000000", ":", "missed: wrong but trusted"),
    "doubted": _Look("?", "#e4e4e4", GREY, "-", "distrusted, no gold label to compare"),
}


def draw_case_study(study: CaseStudy) -> "Figure":
    """Draw the sentences of a case study below each other, and a legend with the count of each verdict."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    names = ["", "given", "new", *(["gold"] if study.has_gold else []), "confidence", ""]
    blocks = [(case, list(_lines(case.tokens))) for case in study.cases]
    key = [(look, study.verdicts[verdict]) for verdict, look in _LOOKS.items() if study.verdicts[verdict]]
    rows = 2 + sum(1.5 + len(lines) * (len(names) + 0.7) for _, lines in blocks) + len(key) + 1.3
    width = _NAME_CELLS + _LINE_CELLS + 1
    figure = Figure(figsize=(width * _CELL_INCHES, rows * _ROW_INCHES))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(rows, 0))
    axes.axis("off")
    _write(
        axes,
        1,
        1,
        _shown(f"Case study: the labels that {study.run} distrusts", 80),
        weight="bold",
        size=_FONT_POINTS + 2,
    )
    row = 2.5
    for case, lines in blocks:
        _write(axes, 1, row, _heading(case), weight="bold")
        row += 1.2
        for tokens in lines:
            _draw_line(axes, row, names, tokens)
            row += len(names) + 0.7
        row += 0.3
    _draw_legend(axes, row, key)
    return figure


def _heading(case: Case) -> str:
    return f"Sentence {case.sentence}" + (f": {case.shows}" if case.shows else "")


def _lines(tokens: Sequence[CaseToken]) -> Iterator[list[CaseToken]]:
    """Yield the tokens in lines that fit; of a very long sentence only the part around its first mark."""
    marked = next((index for index, token in enumerate(tokens) if token.verdict != "fine"), 0)
    first = max(0, min(marked - 5, len(tokens) - _MOST_TOKENS))
    line: list[CaseToken] = []
    used = 0
    for token in tokens[first : first + _MOST_TOKENS]:
        if line and used + _width(token) > _LINE_CELLS:
            yield line
            line, used = [], 0
        line.append(token)
        used += _width(token)
    yield line


def _draw_line(axes: "Axes", row: float, names: Sequence[str], tokens: Sequence[CaseToken]) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    for offset, name in enumerate(names):
        _write(axes, 1, row + offset, name, color=GREY)
    lefts = accumulate(map(_width, tokens), initial=_NAME_CELLS)
    for token, left in zip(tokens, lefts, strict=False):
        look = _LOOKS.get(token.verdict)
        if look is not None:
            size = _width(token) - 0.4, len(names) - 0.1
            axes.add_patch(Rectangle((left - 0.6, row - 0.55), *size, fc=look.fill, ec=look.edge, ls=look.dashes, lw=1))
        _write(axes, left, row, _shown(token.text), weight="bold")
        for name, label in (("given", token.given), ("new", token.new_label), ("gold", token.gold)):
            if name in names:
                is_new = name != "given" and label != token.given
                _write_label(axes, left, row + names.index(name), label, is_new)
        if token.given is not None:
            _write(axes, left, row + len(names) - 2, f"{token.score:.2f}", color=GREY)
        if look is not None:
            _write(axes, left, row + len(names) - 1, look.mark, color=look.edge, weight="bold")


def _write_label(axes: "Axes", left: float, row: float, label: Label, is_new: bool) -> None:
    color = GREY if label is None or label == OUTSIDE else "#000000"
    _write(axes, left, row, _label_text(label), color=color, weight="bold" if is_new else "normal")


def _draw_legend(axes: "Axes", row: float, key: Sequence[tuple[_Look, int]]) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    for look, count in key:
        axes.add_patch(Rectangle((1, row - 0.4), 3, 0.8, fc=look.fill, ec=look.edge, ls=look.dashes, lw=1))
        _write(axes, 2, row, look.mark, color=look.edge, weight="bold")
        _write(axes, 5, row, f"{look.meaning} ({count:,} in all training labels)")
        row += 1
    _write(axes, 1, row + 0.2, "confidence: held-out probability of the given label", color=GREY)


def _write(axes: "Axes", left: float, row: float, text: str, **look: object) -> None:
    look = {"size": _FONT_POINTS, **look}
    axes.text(left, row, text, family=["DejaVu Sans Mono", "DejaVu Sans", "monospace"], va="center", **look)  # type: ignore[arg-type]


def _width(token: CaseToken) -> int:
    """Return how many cells a token and its labels take, including the space after them."""
    labels = map(_label_text, (token.given, token.new_label, token.gold))
    return max(4, *map(_cells, (_shown(token.text), *labels))) + 2


def _label_text(label: Label) -> str:
    return UNKNOWN_MARK if label is None else _shown(label)


def _shown(text: str, most: int = _TOKEN_CELLS) -> str:
    r"""Return ``text`` with invisible characters escaped, truncated to ``most`` cells.

    >>> _shown("a\tb"), _shown("abcdef", most=4)
    ('a\\tb', 'abc…')
    """
    visible = printable(text)
    if _cells(visible) <= most:
        return visible
    ends = accumulate(map(_cells, visible))
    return visible[: sum(end < most for end in ends)] + "…"


def _cells(text: str) -> int:
    """Return how many cells ``text`` takes: two per letter of scripts that are wide or missing in the font.

    >>> _cells("Ann"), _cells("東京"), _cells("e\u0301")
    (3, 4, 1)
    """
    return sum(
        2 if any(letter in script for script in _WIDE) else not unicodedata.combining(character)
        for character in text
        for letter in [ord(character)]
    )
