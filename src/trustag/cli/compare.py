"""``trustag compare``: runs side by side."""

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
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write an HTML page to this file as well.")
@click.option("--overwrite", is_flag=True, help="Replace a page that exists.")
@click.option("--json", "json_output", is_flag=True, help="Print the numbers as JSON.")
def compare(runs: tuple[Path, ...], output: Path | None, overwrite: bool, json_output: bool) -> None:
    """Put runs side by side: scores, noise rates, changes, and the settings in which they differ.

    F1 is that of the model a run kept and of the one inside it that believes every label; runs that differ in their
    seed alone are averaged as well.

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
    for line in aligned([[f"  {row[0]}", *row[1:]] for row in [list(table.header), *rows]]):
        click.echo(line)
