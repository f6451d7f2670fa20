"""What the results page says of batch jobs."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield how much faster two worker processes tag than one, and how much memory any number of texts takes."""
    rows = [
        [str(number), *(f"{one[f'{workers} workers']['per_second']:,.0f}" for workers in (1, 2))]
        for number, one in enumerate(found["rounds"], start=1)
    ]
    yield from table(["round", "sentences a second, one worker", "two workers"], rows)
    memory = " and ".join(f"{value} MB for {int(count):,} texts" for count, value in found["megabytes"].items())
    yield f"\nTwo workers are {found['speed_up']:.2f} times as fast. `model.pipe` takes {memory}."
