"""How values reach standard output: as JSON, or as aligned columns."""

from collections.abc import Iterator, Sequence

import msgspec


def as_json(value: object) -> str:
    """Return ``value`` as indented JSON; dataclasses and enums come out as plain objects and names."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> Iterator[str]:
    """Yield ``rows`` as lines of aligned columns, the first ``left`` of them flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
