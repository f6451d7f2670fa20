"""``trustag experiment``: methods, corpora and seeds, trained once each, and the table that comes of it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trustag.cli.engine_option import chosen_engine, engine_option
from trustag.cli.output import as_json
from trustag.engines.choice import EngineChoice
from trustag.files.inputs import STANDARD_STREAM
from trustag.files.outputs import new_file
from trustag.runs.writer_lock import only_writer

if TYPE_CHECKING:
    from trustag.experiments.results import Results
    from trustag.experiments.running import CellRuns, Step
    from trustag.experiments.trainable_cells import Trainable

RESULTS = "results.json"
_folder = click.Path(path_type=Path, file_okay=False)
_file = click.Path(path_type=Path, dir_okay=False)


@click.group()
def experiment() -> None:
    """Train methods on corpora with several seeds, and compare them with each other and with published figures.

    A grid is a TOML file (docs/experiments.md), or one of those that come with Trustag.

    \b
    trustag experiment list
    trustag experiment run smoke -o smoke
    trustag experiment run grid.toml --data corpora --vectors vectors -o experiment --engine local:2
    trustag experiment show grid.toml -o experiment
    """


@experiment.command(name="list")
def list_grids() -> None:
    """List the grids that come with Trustag."""
    from trustag.experiments.grid import shipped_grids  # noqa: PLC0415

    for name, summary in shipped_grids().items():
        click.echo(f"{name:<10} {summary}")


@experiment.command()
@click.argument("grid")
@click.option("--data", type=_folder, help="Folder of the corpora that the grid names.")
@click.option("--vectors", type=_folder, help="Folder of the word vectors that the grid names.")
@click.option("-o", "--output", type=_folder, required=True, help="Folder for the runs and results.json.")
@click.option("--results", type=_file, help="Another file for the results. Default: results.json in the folder.")
@click.option("--corpora", multiple=True, metavar="NAME", help="Only this corpus; repeatable.")
@click.option("--methods", multiple=True, metavar="NAME", help="Only this row of the grid; repeatable.")
@click.option("--seeds", multiple=True, type=click.IntRange(min=0), help="Only this seed; repeatable.")
@click.option("--again", is_flag=True, help="Train anew what has a result, and continue no run that was begun.")
@click.option("--keep-jobs", is_flag=True, help="Keep every training that the runs consist of.")
@click.option("--dry-run", is_flag=True, help="Only list the cells that lack a result, and what they will cost.")
@engine_option
@click.option("--json", "json_output", is_flag=True, help="Print a JSON line for each cell.")
def run(
    grid: str,
    data: Path | None,
    vectors: Path | None,
    output: Path,
    results: Path | None,
    corpora: tuple[str, ...],
    methods: tuple[str, ...],
    seeds: tuple[int, ...],
    again: bool,
    keep_jobs: bool,
    dry_run: bool,
    engine: EngineChoice | None,
    json_output: bool,
) -> None:
    """Train every cell of GRID that lacks a result: each method on each corpus with each seed.

    Stop it at any time and go on with the same command: a cell with a result is not trained again, and a run that was
    begun is continued. A cell that fails is reported and does not stop the others; the exit code is then 1. By default
    one cell at a time; --engine local:2 trains two.
    """
    from trustag.cli.experiment_lines import cost_lines, step_as_json, step_line  # noqa: PLC0415
    from trustag.experiments.cells import make_importable  # noqa: PLC0415 - torch takes a second to load
    from trustag.experiments.grid import Chosen, read_grid  # noqa: PLC0415
    from trustag.experiments.running import CellRuns  # noqa: PLC0415
    from trustag.experiments.trainable_cells import trainable  # noqa: PLC0415

    found = read_grid(grid)
    make_importable(found.modules())
    part = trainable(found.experiment(data, vectors, Chosen(corpora, methods, seeds)))
    for name, reason in part.left_out.items():
        click.echo(f"left out: {name}: {reason}", err=True)
    file = results or output / RESULTS
    known = _known(file, part, again=again)
    if dry_run:
        click.echo("\n".join(cost_lines(part.experiment, known)))
        return
    runs, opened = CellRuns(output, found.modules(), keep_jobs, again), chosen_engine(engine, None if engine else 1)
    cells, failures = known.missing(part.experiment), 0
    try:
        for number, step in enumerate(_train(part, known, runs, file, opened), start=1):
            failures += bool(step.failure)
            click.echo(step_as_json(step) if json_output else step_line(step, number, len(cells)))
    except KeyboardInterrupt:
        click.echo(f"trustag: interrupted; go on with the same command ({output})", err=True)
        sys.exit(130)
    if failures:
        click.echo(f"trustag: {failures} of {len(cells)} cells failed; the same command tries them again", err=True)
    sys.exit(1 if failures else 0)


@experiment.command()
@click.argument("grid")
@click.option("-o", "--output", type=_folder, help="The folder that the cells were trained in.")
@click.option("--results", type=_file, help="Their results, if these are elsewhere; repeatable.", multiple=True)
@click.option("--to", "to_format", type=click.Choice(["markdown", "html", "latex", "json"]), help="Default: a table.")
@click.option("--file", type=_file, help="File to write instead of the screen.")
@click.option("--reference", default="", metavar="NAME", help="Compare every row with this one. Default: the first.")
@click.option("--overwrite", is_flag=True, help="Overwrite the file if it exists.")
def show(
    grid: str,
    output: Path | None,
    results: tuple[Path, ...],
    to_format: str | None,
    file: Path | None,
    reference: str,
    overwrite: bool,
) -> None:
    """Show what came of GRID: published figures, ours with spread and interval, differences, orderings.

    Whether two rows differ is told by approximate randomisation over the test sentences, seed by seed.
    """
    from trustag.cli.experiment_lines import print_tables  # noqa: PLC0415
    from trustag.experiments.grid import read_grid  # noqa: PLC0415
    from trustag.experiments.grid_rows import grid_table  # noqa: PLC0415
    from trustag.experiments.table_formats import FORMATS  # noqa: PLC0415
    from trustag.experiments.trainable_cells import current_results  # noqa: PLC0415

    files = [*results, *([output / RESULTS] if output and not results else [])]
    if not files:
        raise click.UsageError("name the folder of the experiment with -o, or its --results")
    found = read_grid(grid)
    table = grid_table(found, current_results(found, files), reference)
    if file is None and to_format is None:
        print_tables(table)
        return
    text = as_json(table) if to_format == "json" else FORMATS[to_format or "markdown"](table)
    with new_file(file or STANDARD_STREAM, overwrite=overwrite) as stream:
        stream.write(text.encode())


def _known(file: Path, part: "Trainable", *, again: bool) -> "Results":
    """Return the results so far that still hold, without those to be trained again."""
    from trustag.experiments.results import read_results  # noqa: PLC0415

    known = read_results(file).current(part.experiment)
    return known.without(part.experiment.cells()) if again else known


def _train(part: "Trainable", known: "Results", runs: "CellRuns", file: Path, engine: EngineChoice) -> Iterator["Step"]:
    """Train what is missing and yield a step for each cell, whose result is in the file then."""
    from trustag.experiments.results import add_result  # noqa: PLC0415
    from trustag.experiments.running import run_missing, with_label_noise  # noqa: PLC0415

    known = with_label_noise(part.experiment, known, known.missing(part.experiment))
    with only_writer(runs.folder, "trustag experiment"), engine.open() as running:
        for step in run_missing(part.experiment, known, runs, running):
            result = step.results.of(step.cell)
            if not step.failure and result is not None:
                add_result(file, result, known.noise, list(part.experiment.corpora))
            yield step
