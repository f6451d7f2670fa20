"""Values as JSON, rows as aligned columns, counts in words."""

from collections.abc import Iterator, Sequence

import click
import msgspec


def as_json(value: object) -> str:
    """Return ``value`` as indented JSON; dataclasses and enums become plain objects and names."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def aligned(rows: Sequence[Sequence[str]], left: int = 1, *, header: bool = False) -> Iterator[str]:
    """Yield ``rows`` as lines of aligned columns, the first ``left`` of them flush left, the others flush right.

    Widths are those of terminal cells, of which a Chinese character takes two. With ``header`` the first line is bold;
    ``click.echo`` removes that where it does not write to a terminal.
    """
    from rich.cells import cell_len  # noqa: PLC0415 - rich takes time to load

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = []
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - cell_len(cell))
            cells.append(cell + gap if column < left else gap + cell)
        line = "  ".join(cells).rstrip()
        yield click.style(line, bold=True) if header and number == 0 else line
