"""``trustag compare``: a comparison of runs."""

from pathlib import Path

import click

from trustag.cli.output import aligned, as_json
from trustag.errors import printable
from trustag.files.outputs import new_file
from trustag.reports.blocks import Table
from trustag.reports.comparison import compare_runs
from trustag.reports.comparison_page import comparison_page, remarks, tables
from trustag.reports.rendering import render
from trustag.runs.reading import open_runs


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Also write an HTML page to this file.")
@click.option("--overwrite", is_flag=True, help="Overwrite an existing page.")
@click.option("--json", "json_output", is_flag=True, help="Print the numbers as JSON.")
def compare(runs: tuple[Path, ...], output: Path | None, overwrite: bool, json_output: bool) -> None:
    """Compare runs: scores, noise rates, changes, and the settings in which they differ.

    F1 is shown for the final model of each run and for its baseline, trained on the labels as given. Runs that differ
    only in their seed are also averaged.

    \b
    trustag compare run-1 run-2 run-3
    trustag compare run-* -o comparison.html
    """
    opened = open_runs(runs)
    found = compare_runs(opened)
    page = render(comparison_page(found, opened)) if output is not None else b""
    if json_output:
        click.echo(as_json(found))
    else:
        for remark in remarks(found):
            click.echo(remark)
        for table in tables(found):
            _print(table)
    if output is not None:
        with new_file(output, overwrite=overwrite) as stream:
            stream.write(page)


def _print(table: Table) -> None:
    rows = [[printable(cell) if isinstance(cell, str) else cell.text for cell in row] for row in table.rows]
    click.echo(f"\n{table.caption}")
    for line in aligned([[f"  {row[0]}", *row[1:]] for row in [list(table.header), *rows]], header=True):
        click.echo(line)
