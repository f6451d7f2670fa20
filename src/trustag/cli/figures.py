"""``trustag figures``: figures of runs, with the numbers behind them."""

from pathlib import Path

import click

from trustag.errors import InputError
from trustag.figures.canvas import PictureFormat
from trustag.figures.catalogue import FIGURES, draw_figures, write_figures
from trustag.runs.reading import open_runs


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder to write into.")
@click.option(
    "--format",
    "picture_format",
    type=click.Choice(["svg", "png"]),
    default="svg",
    show_default=True,
    help="Format of the figures.",
)
@click.option("--only", multiple=True, type=click.Choice(list(FIGURES)), help="Draw only this figure; repeatable.")
@click.option("--overwrite", is_flag=True, help="Overwrite existing figures.")
def figures(
    runs: tuple[Path, ...], output: Path, picture_format: PictureFormat, only: tuple[str, ...], overwrite: bool
) -> None:
    """Draw every figure that the runs have data for, each with its numbers in a JSON file of the same name.

    Training dynamics and case study are drawn for each run. The noise-rate search and the rounds of self-training show
    all runs in one figure. F1 by noise level needs runs on labels of different recall.

    \b
    trustag figures run -o pictures
    trustag figures recall-0.3 recall-0.5 recall-0.7 recall-0.9 -o pictures --only noise-levels --format png
    """
    drawn = draw_figures(open_runs(runs), list(dict.fromkeys(only)) or list(FIGURES), picture_format)
    for stem, reason in drawn.not_drawn:
        click.echo(f"not drawn: {stem}: {reason}")
    if not drawn.drawn:
        raise InputError("none of the figures can be drawn from these runs", remedy="see the reasons above")
    write_figures(drawn, output, overwrite=overwrite)
    for figure in drawn.drawn:
        picture, numbers = figure.names()
        click.echo(f"{output / picture} (numbers: {numbers})")
        for lack in figure.lacking:
            click.echo(f"  without {lack}")
