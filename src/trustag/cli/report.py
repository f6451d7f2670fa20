"""``trustag report``: the findings of a run as one HTML page."""

from pathlib import Path

import click

from trustag.reports.run_report import write_report, write_run_pictures


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.  [default: RUN/report.html]")
@click.option(
    "--pictures", type=click.Path(path_type=Path), help="Write the charts into this folder instead, as SVG and PNG."
)
@click.option("--overwrite", is_flag=True, help="Overwrite an existing report, or pictures.")
def report(run: Path, output: Path | None, pictures: Path | None, overwrite: bool) -> None:
    """Write the findings of a run as one HTML page that needs no network, no script and no other file.

    Text, tables and charts show how noisy the labels look, which ones to review first and how much that gains, what
    changed, how training went and how well calibrated the probabilities are. trustag train writes the page at its end.
    Where a run has no data, such as scores without a test corpus, the page says so.

    \b
    trustag report run
    trustag report run -o findings.html
    trustag report run --pictures charts
    """
    if pictures is not None:
        if output is not None:
            raise click.UsageError("--pictures writes no page: omit -o, or call it twice")
        click.echo(f"{pictures}: {write_run_pictures(run, pictures, overwrite=overwrite)} charts")
        return
    click.echo(write_report(run, output, overwrite=overwrite))
