"""What the results page says of calibration."""

from collections.abc import Iterator
from statistics import mean
from typing import Any


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield the expected calibration errors before and after the temperature, by corpus."""
    introduction = (
        "Expected calibration error on the clean test splits (15 bins, in percent) of the final models, as they come "
        "out of training and at the temperature that was found out of fold, without gold.\n"
    )
    lines = [
        introduction,
        "| corpus | temperature | labels | after | entity labels | after | entities | after |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for corpus in dict.fromkeys(run["corpus"] for run in found["runs"]):
        own = [run for run in found["runs"] if run["corpus"] == corpus]
        errors = [
            f"{100 * mean(run[when][what] for run in own):.1f}"
            for what in ("tokens", "entity_tokens", "entities")
            for when in ("before", "after")
        ]
        cells = [corpus, f"{mean(run['temperature'] for run in own):.2f}", *errors]
        lines.append("| " + " | ".join(cells) + " |")
    yield from lines
