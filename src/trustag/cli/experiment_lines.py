"""Lines about experiments: cells as they are over, what the missing ones will cost, and the tables of a grid."""

import json
from collections.abc import Iterator
from typing import Final

from trustag.cli.output import aligned
from trustag.errors import printable
from trustag.experiments.cell_costs import estimated_costs
from trustag.experiments.experiment import Experiment
from trustag.experiments.grid_rows import GridTable
from trustag.experiments.results import Results
from trustag.experiments.running import Step
from trustag.experiments.table_formats import INTRODUCTION, plain_tables

_WIDE: Final = 400


def step_line(step: Step, number: int, count: int) -> str:
    """Return what became of a cell, the one of a ``number`` among ``count``, counted from 1."""
    cell = printable(f"[{number}/{count}] {step.cell.corpus}, {step.cell.system}, seed {step.cell.seed}")
    result = step.results.of(step.cell)
    if step.failure or result is None:
        return f"{cell}: failed: {printable(step.failure)}"
    scores = [
        f"{name} F1 {100 * score['f1']:.1f}" for name, score in (("dev", result.dev), ("test", result.test)) if score
    ]
    return f"{cell}: {', '.join([*scores, f'{result.cpu_seconds:.0f} CPU s'])}"


def step_as_json(step: Step) -> str:
    """Return what became of a cell as one line of JSON."""
    result = step.results.of(step.cell)
    if step.failure or result is None:
        return json.dumps({**step.cell._asdict(), "failure": step.failure})
    return json.dumps(result.record())


def cost_lines(experiment: Experiment, known: Results) -> Iterator[str]:
    """Yield the cells that lack a result with what each will cost, and the sum."""
    missing = known.missing(experiment)
    costs = estimated_costs(missing, known.runs)
    rows = [("corpus", "row", "seed", "CPU s")]
    for cell in missing:
        cost = costs[cell]
        rows.append((cell.corpus, cell.system, str(cell.seed), "unknown" if cost is None else f"about {cost:.0f}"))
    if missing:
        yield from aligned(rows, left=2, header=True)
    whole = sum(cost for cost in costs.values() if cost is not None)
    unknown = sum(cost is None for cost in costs.values())
    have = len(experiment.cells()) - len(missing)
    more = f" and {unknown} of unknown cost" if unknown else ""
    yield f"{len(missing)} cells to train: about {whole / 3600:.1f} processor hours{more}; {have} have a result"


def print_tables(table: GridTable) -> None:
    """Print the tables of a grid, on a terminal as wide as that."""
    from rich.console import Console  # noqa: PLC0415 - rich takes time to load
    from rich.markup import escape  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    console = Console(highlight=False)
    if not console.is_terminal:  # a file or a pipe has room
        console.width = _WIDE
    console.print(INTRODUCTION)
    for one in plain_tables(table):
        shown = Table(title=escape(one.title), title_justify="left", header_style="bold")
        for number, name in enumerate(one.columns):
            shown.add_column(escape(name), justify="left" if number < 2 else "right")
        for row in one.rows:
            shown.add_row(*map(escape, row))
        console.print(shown)
    for remark in table.remarks:
        console.print(escape(remark))
    console.print(f"All cells together took {table.cpu_seconds / 3600:.1f} processor hours.")
