"""Given labels against believed ones, and with a gold column who of the two was right."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from trustag.reports.blocks import Block, Folded, Missing, Paragraph, Section, Shaded, Table
from trustag.reports.charts.heat_map import shade_of
from trustag.reports.number_format import count, in_order, label_name, percent
from trustag.runs.label_columns import RunLabels
from trustag.runs.reading import RunFiles
from trustag.text.disagreement import entity_type
from trustag.text.labels import Label

Triple: TypeAlias = tuple[Label, Label, Label]

_MOST_TYPES: Final = 18
_OTHERS: Final = "other types"


def confusion_section(run: RunFiles) -> Section:
    """Return the tables of given, believed and gold types."""
    lack = Missing("given and believed labels: the run has not judged its labels")
    return Section("confusion", "Given and believed labels", list(_tables(run.labels)) if run.labels else [lack])


def _tables(labels: RunLabels) -> Iterator[Block]:
    triples = label_triples(labels)
    shown, left_out = _shown_types(triples)
    given_believed = _matrix(triples, shown, 0, 1)
    yield Paragraph(
        "Rows are the labels as given, columns those that the run believes in the end, by type and in tokens; darker "
        "is more, by powers of ten."
        + (f" The {count(left_out, 'rarest type')} are taken together." if left_out else "")
        + (" The small print says how many of the changes the gold column confirms." if labels.has_gold else "")
    )
    yield _as_table("given (rows) and believed (columns)", "given", given_believed, shown, _confirmed(triples, shown))
    if labels.has_gold:
        for name, place in (("given", 0), ("believed", 1)):
            matrix = _matrix(triples, shown, place, 2)
            table = _as_table(f"{name} (rows) and gold (columns)", name, matrix, shown, {})
            yield Folded(f"{name.capitalize()} and gold labels", [table])


def label_triples(labels: RunLabels) -> Counter[Triple]:
    """Return how often each given, believed and gold label meet at a token; gold is None where nobody knows."""
    triples: Counter[Triple] = Counter()
    for sentence in labels.sentences:
        gold = sentence.gold if sentence.gold is not None else (None,) * len(sentence.tokens)
        triples.update(zip(sentence.given, sentence.believed, gold, strict=True))
    return triples


def _shown_types(triples: Counter[Triple]) -> tuple[list[Label], int]:
    """Return the types that get a row of their own, and how many do not."""
    sizes: Counter[Label] = Counter()
    for (given, believed, _), number in triples.items():
        sizes[entity_type(given)] += number
        sizes[entity_type(believed)] += number
    kept = [name for name, _ in sizes.most_common(_MOST_TYPES)]
    left_out = len(sizes) - len(kept)
    return in_order(set(kept)), left_out


def _column(label: Label, shown: Sequence[Label]) -> Label:
    kind = entity_type(label)
    return kind if kind in shown else _OTHERS


def _matrix(triples: Counter[Triple], shown: Sequence[Label], one: int, other: int) -> Counter[tuple[Label, Label]]:
    cells: Counter[tuple[Label, Label]] = Counter()
    for triple, number in triples.items():
        if other == 2 and triple[2] is None:
            continue
        cells[_column(triple[one], shown), _column(triple[other], shown)] += number
    return cells


def _confirmed(triples: Counter[Triple], shown: Sequence[Label]) -> dict[tuple[Label, Label], str]:
    """Return what gold says of each cell: the share of changes that it confirms, and how many there are in the type."""
    changed: Counter[tuple[Label, Label]] = Counter()
    known: Counter[tuple[Label, Label]] = Counter()
    right: Counter[tuple[Label, Label]] = Counter()
    for (given, believed, gold), number in triples.items():
        if given != believed:
            cell = _column(given, shown), _column(believed, shown)
            changed[cell] += number
            known[cell] += number if gold is not None else 0
            right[cell] += number if gold is not None and believed == gold else 0
    return {cell: _told(cell, number, known[cell], right[cell]) for cell, number in changed.items()}


def _told(cell: tuple[Label, Label], changed: int, known: int, right: int) -> str:
    borders = f"{count(changed)} other borders" if cell[0] == cell[1] else ""
    confirmed = f"{percent(right / known, 0)} right" if known else ""
    return ", ".join(filter(None, [borders, confirmed]))


def _as_table(
    caption: str,
    corner: str,
    cells: Counter[tuple[Label, Label]],
    shown: Sequence[Label],
    notes: dict[tuple[Label, Label], str],
) -> Table:
    most = max(cells.values(), default=0)
    # Gold may know types that nobody gave.
    columns = [name for name in (*shown, _OTHERS) if any(cells[row, name] for row in (*shown, _OTHERS))]
    header = [corner, *map(label_name, columns), "all"]
    rows: list[list[str | Shaded]] = []
    for row in (*shown, _OTHERS):
        numbers = [cells[row, column] for column in columns]
        if any(numbers):
            marked = [
                Shaded(count(number) if number else "·", shade_of(number, most), notes.get((row, column), ""))
                for column, number in zip(columns, numbers, strict=True)
            ]
            rows.append([label_name(row), *marked, count(sum(numbers))])
    return Table(caption.capitalize(), header, rows)
