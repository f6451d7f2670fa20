"""The table of a grid as Markdown, HTML or LaTeX, and as plain tables for other forms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from trustag.experiments.grid_rows import GridTable, Pair, RowFigure


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A heading, the names of the columns, and rows of texts."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


INTRODUCTION: Final = (
    "Entity F1 on test in points: ours is the mean over seeds ± their standard deviation (number of seeds), then the "
    "difference from the published figure in brackets. Dev chooses, test is read once."
)


def plain_tables(table: GridTable) -> list[PlainTable]:
    """Return everything that is shown of a grid as tables of texts; those without rows are left out."""
    corpora = list(table.corpora)
    found = [
        PlainTable(table.title, ["row", "system", *corpora], [
            [row.number, row.title, *(cell(row.figures[corpus]) for corpus in corpora)] for row in table.rows
        ]),
        PlainTable("Published, ours, and what other test sentences would give", [
            "system", "corpus", "published", "ours", "spread", "seeds", "difference", "95 % interval", "dev", "CPU s"
        ], list(_details(table))),
        PlainTable("Orderings", ["what should hold", "corpus", "", "difference", "p", "seeds"], [
            [one.text, one.corpus, one.verdict, *_pair(one.weakest)] for one in table.orderings
        ]),
        PlainTable("Against the reference, by approximate randomisation", [
            "corpus", "reference", "system", "difference", "p", "seeds"
        ], [[pair.corpus, pair.first, pair.second, *_pair(pair)] for pair in table.pairs]),
    ]  # fmt: skip
    return [one for one in found if one.rows]


def cell(figure: RowFigure) -> str:
    """Return a figure as it stands in the table.

    >>> cell(RowFigure(73.3, 75.02, 0.41, 3)), cell(RowFigure(61.5)), cell(RowFigure(None, 70.0, None, 1))
    ('75.0 ± 0.4 (3) [+1.7]', '[61.5]', '70.0 (1)')
    """
    if figure.f1 is None:
        return "" if figure.published is None else f"[{figure.published:.1f}]"
    spread = "" if figure.spread is None else f" ± {figure.spread:.1f}"
    difference = "" if figure.difference is None else f" [{figure.difference:+.1f}]"
    return f"{figure.f1:.1f}{spread} ({figure.seeds}){difference}"


def as_markdown(table: GridTable) -> str:
    """Return the tables as Markdown."""
    parts = [f"{INTRODUCTION} Published figures of rows that were not measured stand alone in brackets.\n"]
    for one in plain_tables(table):
        lines = [one.columns, ["---"] * len(one.columns), *one.rows]
        body = "\n".join("| " + " | ".join(text.replace("|", "\\|") for text in line) + " |" for line in lines)
        parts.append(f"**{one.title}**\n\n{body}\n")
    return "\n".join([*parts, *(f"{line}\n" for line in _remarks(table))])


def as_html(table: GridTable) -> str:
    """Return the tables as a page of its own."""
    parts = []
    for one in plain_tables(table):
        head = "".join(f"<th>{escape(name)}</th>" for name in one.columns)
        rows = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>\n" for row in one.rows)
        parts.append(f"<h2>{escape(one.title)}</h2>\n<div><table><tr>{head}</tr>\n{rows}</table></div>")
    remarks = "".join(f"<p>{escape(line)}</p>" for line in (INTRODUCTION, *_remarks(table)))
    title = escape(table.title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"</head><body><h1>{title}</h1>{remarks}{''.join(parts)}</body></html>\n"
    )


def as_latex(table: GridTable) -> str:
    """Return the first table as a LaTeX ``tabular`` that needs the package booktabs."""
    main = plain_tables(table)[0]
    columns = "ll" + "r" * (len(main.columns) - 2)
    rows = [" & ".join(map(_latex, row)) + r" \\" for row in main.rows]
    head = " & ".join(map(_latex, main.columns)) + r" \\"
    lines = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        head,
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join([f"% {INTRODUCTION}", *lines, ""])


FORMATS: Final[Mapping[str, Callable[[GridTable], str]]] = {
    "markdown": as_markdown,
    "html": as_html,
    "latex": as_latex,
}
"""What the table can be written as."""

_STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:90rem;padding:0 1rem;color:#222}"
    "div{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "th,td{border-bottom:1px solid #ddd;padding:.3rem .7rem;text-align:left;white-space:nowrap}th{color:#666}"
)
_SPECIAL: Final = str.maketrans(
    {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "±": r"$\pm$", "τ": r"$\tau$", "$": r"\$", "{": r"\{", "}": r"\}"}
)


def _latex(text: str) -> str:
    return text.translate(_SPECIAL)


def _details(table: GridTable) -> Iterator[list[str]]:
    for row in table.rows:
        for corpus in table.corpora:
            figure = row.figures[corpus]
            if figure.f1 is None:
                continue
            bounds = "" if figure.low is None else f"{figure.low:.1f} to {figure.high:.1f}"
            numbers = (figure.published, figure.f1, figure.spread)
            published, ours, spread = ("" if number is None else f"{number:.1f}" for number in numbers)
            difference = "" if figure.difference is None else f"{figure.difference:+.1f}"
            dev = "" if figure.dev is None else f"{figure.dev:.1f}"
            yield [
                row.title, corpus, published, ours, spread, str(figure.seeds), difference, bounds, dev,
                f"{figure.cpu_seconds:.0f}",
            ]  # fmt: skip


def _pair(pair: Pair | None) -> list[str]:
    if pair is None:
        return ["", "", ""]
    p = "" if pair.p is None else f"{pair.p:.3f}"
    return [f"{pair.difference:+.1f}", p, str(pair.seeds)]


def _remarks(table: GridTable) -> list[str]:
    notes = [f"{row.title}: {row.note}" for row in table.rows if row.note]
    return [*notes, *table.remarks, f"All cells together took {table.cpu_seconds / 3600:.1f} processor hours."]
