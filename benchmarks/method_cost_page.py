"""What the results page says of the cost of the method."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield the cost of the default recipe beside the paper's protocol, and what a second worker brings."""
    fast, paper = found["fast"], found["paper"]
    yield (
        f"English, recall 0.5 and precision 0.9, {found['sentences']:,} sentences, the whole method with scoring and "
        "saving. The paper's protocol (16 rounds of 30 epochs after a search of its noise rates) is projected from the "
        f"processor time of a pass over the corpus, {paper['cpu_seconds_a_pass']} seconds.\n"
    )
    rows = [
        [
            f"`fast`, {workers} worker{'s' if workers == '2' else ''}",
            f"{fast['passes']:,.0f}",
            f"{one['cpu_seconds']:,.0f}",
            f"{one['wall_seconds']:,.0f}",
        ]
        for workers, one in fast.items()
        if workers != "passes"
    ]
    rows.append(["`paper`, projected", f"{paper['passes']:,.0f}", f"{paper['projected_cpu_seconds']:,}", ""])
    yield from table(["recipe", "passes over the corpus", "processor seconds", "seconds"], rows)
    yield ""
    yield (
        f"The default recipe costs a {found['times_cheaper']:.0f}th of the paper's protocol; two workers end "
        f"{found['two_workers_speedup']} times as soon as one."
    )
