"""What the results page says of the speed of the review page."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import goal_table, table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield how long requests take with a long queue."""
    yield (
        f"{found['issues']:,} issues in the queue, requests answered in process; least of several rounds, by the "
        "processor and by the clock, which holds the wait for the disk too.\n"
    )
    rows = [
        [name, f"{row['processor_milliseconds']:.1f}", f"{row['clock_milliseconds']:.1f}"]
        for name, row in found["measurements"].items()
    ]
    yield from table(["request", "processor, ms", "clock, ms"], rows)
    yield ""
    yield from goal_table(found)
