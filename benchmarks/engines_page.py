"""What the results page says of engines: speed-ups, bytes on the way, many machines."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.markdown import table

BILLION: Final = 1_000_000_000
RESULTS: Final = Path(__file__).parent.parent / "results"


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what was measured, what was simulated, and what follows for a billion tokens."""
    yield (
        f"The method on {found['sentences']} sentences of the demo corpus, wall time, the best of the "
        f"tries. The machine has {found['machine']['cores']} cores; its load was {found['load_before']} before and "
        f"{found['load_after']} after: above the number of cores, times show other work as well:\n"
    )
    alone = {row["engine"]: row["seconds"] for row in found["engines"] if row["workers"] == 1}
    rows = [
        [row["engine"], row["workers"], f"{row['seconds']:.1f}", f"{alone[row['engine']] / row['seconds']:.2f}"]
        for row in found["engines"]
    ]
    yield from table(["engine", "workers", "seconds", "times one worker"], rows)
    travel = found["transport"]
    yield (
        f"\nA corpus travels with {travel['bytes_a_token']:.0f} bytes a token (slope from half the demo corpus to all "
        f"of it, labels, gold labels and encoded labels included): {travel['bytes_a_token'] * BILLION / 1e9:.0f} GB "
        "for a billion tokens, once to each machine.\n"
    )
    simulation = found["simulation"]
    yield (
        f"The {simulation['cells']} cells that `results/scores.json` has costs for ({simulation['cpu_hours']} "
        f"processor hours, the longest {simulation['longest_hours']}), laid out on machines of one core, longest "
        "first:\n"
    )
    rows = [[row["machines"], f"{row['hours']:.2f}", f"{row['speed_up']:.1f}"] for row in simulation["rows"]]
    yield from table(["machines", "hours", "times one machine"], rows)
    yield from _billion()


def _billion() -> Iterator[str]:
    """Yield what a billion tokens take by the slopes that other results have, as far as these are there."""
    known = {name: RESULTS / f"{name}.json" for name in ("epoch", "method_cost", "decoding")}
    if not all(path.exists() for path in known.values()):
        return
    epoch, cost, decoding = (json.loads(path.read_text(encoding="utf-8")) for path in known.values())
    a_pass = epoch["contenders"]["trustag, batches of 32"]["microseconds_per_token"]
    a_run = cost["fast"]["1"]["cpu_seconds"] / epoch["tokens"] * 1e6
    tagging = decoding["measurements"][0]["together_microseconds_per_token"]
    yield "\nA billion tokens, if time grows with tokens as it does on the corpora measured:\n"
    slopes = [("one pass of training", a_pass), ("a run of the default recipe", a_run), ("tagging", tagging)]
    rows = [
        [what, f"{slope:.1f}", f"{slope * BILLION / 3.6e9:,.1f}", f"{slope * BILLION / 3.6e11:,.2f}"]
        for what, slope in slopes
    ]
    yield from table(["work", "µs a token", "hours on one core", "hours on 100 cores, if it splits evenly"], rows)
    yield "\nOnly tagging splits evenly; a run splits into its folds.\n"
