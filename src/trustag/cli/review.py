"""``trustag review``: a page on which people decide on label issues."""

import threading
import webbrowser
from pathlib import Path

import click

from trustag.cli.orders import order_option
from trustag.files.outputs import new_file
from trustag.issues.filtering import Order
from trustag.review.decisions import DecisionLog
from trustag.review.desk import Desk
from trustag.review.exporting import decision_lines
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.server import bind, serve


@click.command()
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@order_option
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen at. Default: any that is free.")
@click.option("--no-browser", is_flag=True, help="Only print the address; open no browser.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; others need --password.")
@click.option(
    "--password",
    envvar="TRUSTAG_REVIEW_PASSWORD",
    help="What to ask whoever comes without the printed address. Better given as TRUSTAG_REVIEW_PASSWORD.",
)
@click.option(
    "--export", "exported", type=click.Path(path_type=Path), help="Write every decision as JSON lines, and stop."
)
@click.option("--overwrite", is_flag=True, help="Replace the exported file if it exists.")
def review(
    run: Path,
    order: Order,
    port: int,
    no_browser: bool,
    host: str,
    password: str | None,
    exported: Path | None,
    overwrite: bool,
) -> None:
    """Decide on the label issues of RUN in a browser, by keyboard or mouse, alone or with others.

    The page is served by this machine to this machine until you stop it (Ctrl-C). Every decision is on disk
    (decisions.sqlite in RUN) the moment the page says so; begin again at any time where you stopped. When you are done,
    write the corrected corpus with trustag apply.

    \b
    trustag review run
    trustag review run --order unsure
    trustag review run --export decisions.jsonl
    """
    reviewed = open_reviewed_run(run)
    desk = Desk(reviewed, DecisionLog(reviewed.decisions, reviewed.fingerprint), order)
    if exported is not None:
        with new_file(exported, overwrite=overwrite) as stream:
            stream.writelines(decision_lines(desk.standing))
        return
    address = bind(host, port, password)
    progress = desk.progress()
    click.echo(f"{progress.total:,} issues, {progress.decided:,} of them decided; stop with Ctrl-C")
    click.echo(address.url)
    if not no_browser:
        threading.Thread(target=webbrowser.open, args=(address.url,), daemon=True).start()
    try:
        serve(desk, address)
    except KeyboardInterrupt:
        pass
    finally:
        progress = desk.progress()
        click.echo(f"{progress.decided:,} of {progress.total:,} issues decided; next: trustag apply {run} -o FILE")
