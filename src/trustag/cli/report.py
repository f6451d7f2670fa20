"""``trustag report``: what a run found, as one HTML page."""

from pathlib import Path

import click

from trustag.reports.run_report import write_report


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.  [default: RUN/report.html]")
@click.option("--overwrite", is_flag=True, help="Replace a report that exists.")
def report(run: Path, output: Path | None, overwrite: bool) -> None:
    """Write what a run found as one HTML page that needs no network, no script and no other file.

    It tells in words, tables and charts how noisy the labels look, which ones to look at first and how far that gets
    one, what changed, how the models learnt and how reliable their probabilities are. trustag train writes it at its
    end; what a run does not tell, such as scores without a test corpus, is said in its place.

    \b
    trustag report run
    trustag report run -o findings.html
    """
    click.echo(write_report(run, output, overwrite=overwrite))
