"""Given labels against new ones, and where there is a gold column, which of the two are correct."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from trustag.reports.blocks import Block, Folded, Missing, PageSection, Paragraph, Shaded, Table
from trustag.reports.charts.heat_map import shade_of
from trustag.reports.number_format import count, in_table_order, label_name, percent
from trustag.runs.label_columns import RunLabels
from trustag.runs.reading import RunFiles
from trustag.text.disagreement import entity_type
from trustag.text.labels import Label

Triple: TypeAlias = tuple[Label, Label, Label]

_MOST_TYPES: Final = 18
_OTHERS: Final = "other types"


def confusion_section(run: RunFiles) -> PageSection:
    """Return the confusion tables of given, new and gold types."""
    missing = Missing("given and new labels: the run did not assess its labels")
    return PageSection("confusion", "Given and new labels", list(_tables(run.labels)) if run.labels else [missing])


def _tables(labels: RunLabels) -> Iterator[Block]:
    triples = label_triples(labels)
    shown, omitted = _shown_types(triples)
    given_new = _matrix(triples, shown, 0, 1)
    yield Paragraph(
        "Rows are the labels as given, columns the new labels of the run, counted in tokens by type; darker cells have "
        "more, on a logarithmic scale."
        + (f" The {count(omitted, 'rarest type')} are combined." if omitted else "")
        + (" The small print says which share of the changes the gold column confirms." if labels.has_gold else "")
    )
    yield _as_table("given (rows) and new (columns)", "given", given_new, shown, _confirmed(triples, shown))
    if labels.has_gold:
        for name, column in (("given", 0), ("new", 1)):
            matrix = _matrix(triples, shown, column, 2)
            table = _as_table(f"{name} (rows) and gold (columns)", name, matrix, shown, {})
            yield Folded(f"{name.capitalize()} and gold labels", [table])


def label_triples(labels: RunLabels) -> Counter[Triple]:
    """Return how often each combination of given, new and gold label occurs; gold is None where it is unknown."""
    triples: Counter[Triple] = Counter()
    for sentence in labels.sentences:
        gold = sentence.gold if sentence.gold is not None else (None,) * len(sentence.tokens)
        triples.update(zip(sentence.given, sentence.relabelled, gold, strict=True))
    return triples


def _shown_types(triples: Counter[Triple]) -> tuple[list[Label], int]:
    """Return the types with a row of their own, and the number of the others."""
    sizes: Counter[Label] = Counter()
    for (given, new, _), number in triples.items():
        sizes[entity_type(given)] += number
        sizes[entity_type(new)] += number
    kept = [name for name, _ in sizes.most_common(_MOST_TYPES)]
    return in_table_order(set(kept)), len(sizes) - len(kept)


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
    """Return the small print of each cell: boundary changes within a type, and the share that gold confirms."""
    changed: Counter[tuple[Label, Label]] = Counter()
    known: Counter[tuple[Label, Label]] = Counter()
    right: Counter[tuple[Label, Label]] = Counter()
    for (given, new, gold), number in triples.items():
        if given != new:
            cell = _column(given, shown), _column(new, shown)
            changed[cell] += number
            known[cell] += number if gold is not None else 0
            right[cell] += number if gold is not None and new == gold else 0
    return {cell: _small_print(cell, number, known[cell], right[cell]) for cell, number in changed.items()}


def _small_print(cell: tuple[Label, Label], changed: int, known: int, right: int) -> str:
    boundaries = f"{count(changed)} with new boundaries" if cell[0] == cell[1] else ""
    confirmed = f"{percent(right / known, 0)} correct" if known else ""
    return ", ".join(filter(None, [boundaries, confirmed]))


def _as_table(
    caption: str,
    corner: str,
    cells: Counter[tuple[Label, Label]],
    shown: Sequence[Label],
    notes: dict[tuple[Label, Label], str],
) -> Table:
    most = max(cells.values(), default=0)
    # Gold may have types that never occur among the given labels.
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
