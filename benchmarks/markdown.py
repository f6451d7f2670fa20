"""Tables of the results page."""

from collections.abc import Iterator
from typing import Any


def table(header: list[str], rows: list[list[Any]]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield "| " + " | ".join(header) + " |"
    yield "|" + "---|" * len(header)
    for row in rows:
        yield "| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) + " |"


def goal_table(found: dict[str, Any]) -> Iterator[str]:
    """Yield the goals of a result file: what was found, what was wanted, whether it is reached."""
    verdicts = {True: "reached", False: "missed"}
    goals = [[name, goal["found"], goal["goal"], verdicts[goal["passed"]]] for name, goal in found["goals"].items()]
    yield from table(["measure", "found", "goal", ""], goals)
