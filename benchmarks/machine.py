"""Result files that say where figures come from, and tables for the screen."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from trustag.experiments.provenance import commit, machine
from trustag.experiments.provenance import provenance as origin

__all__ = ["ROOT", "aligned", "commit", "machine", "origin", "write_result"]

ROOT = Path(__file__).parent.parent


def write_result(path: Path, found: Mapping[str, object]) -> None:
    """Write a result file, whose folder is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def aligned(rows: Sequence[Sequence[object]]) -> str:
    """Return ``rows`` as text in columns: words to the left, numbers to the right."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return "\n".join(
        "  ".join(
            text.rjust(width) if text[:1].isdigit() else text.ljust(width)
            for text, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in texts
    )
