"""``trustag review``: a local web page for deciding on label issues."""

import threading
import webbrowser
from contextlib import suppress
from pathlib import Path

import click

from trustag.cli.orders import order_option
from trustag.files.outputs import new_file
from trustag.issues.filtering import Order
from trustag.review.decisions import DecisionLog
from trustag.review.exporting import decision_lines
from trustag.review.recovery import recover as recover_decisions
from trustag.review.reviewed_run import ReviewedRun, open_reviewed_run
from trustag.review.server import PageAddress, bind, serve
from trustag.review.session import ReviewSession
from trustag.runs.folder import require_run
from trustag.runs.writer_lock import only_writer


@click.command()
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@order_option
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on. Default: any free port.")
@click.option("--no-browser", is_flag=True, help="Only print the address; do not open a browser.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; a non-local one needs --password."
)
@click.option(
    "--password",
    envvar="TRUSTAG_REVIEW_PASSWORD",
    help="Password for visitors without the printed address. Prefer the variable TRUSTAG_REVIEW_PASSWORD.",
)
@click.option(
    "--export", "exported", type=click.Path(path_type=Path), help="Write all decisions as JSON lines and exit."
)
@click.option("--overwrite", is_flag=True, help="Replace the exported file if it exists.")
@click.option("--recover", is_flag=True, help="Save what is whole in a damaged decisions.sqlite, and exit.")
def review(
    run: Path,
    order: Order,
    port: int,
    no_browser: bool,
    host: str,
    password: str | None,
    exported: Path | None,
    overwrite: bool,
    recover: bool,
) -> None:
    """Review the label issues of RUN in a browser, by keyboard or mouse, alone or with others.

    The page is only reachable from this machine, and is served until you press Ctrl-C. Every decision is written to
    decisions.sqlite in RUN before the page confirms it, so you can stop and resume at any time. When you are done,
    write the corrected corpus with trustag apply.

    \b
    trustag review run
    trustag review run --order unsure
    trustag review run --export decisions.jsonl
    """
    require_run(run)
    with only_writer(run, "trustag review"):
        reviewed = open_reviewed_run(run)
        if recover:
            click.echo(_recovered(reviewed))
            return
        log = DecisionLog(reviewed.decisions, reviewed.fingerprint, reviewed.older_fingerprint)
        session = ReviewSession(reviewed, log, order)
        if exported is not None:
            with new_file(exported, overwrite=overwrite) as stream:
                stream.writelines(decision_lines(session.state))
            return
        _serve(session, bind(host, port, password), opens_browser=not no_browser)
    click.echo(f"{_progress(session)}; next: trustag apply {run} -o FILE")


def _recovered(run: ReviewedRun) -> str:
    """Return what was saved of the decisions, and what was lost."""
    found = recover_decisions(run.decisions, run.fingerprint)
    lost = (
        f"; lost: {len(found.lost):,} (number {', '.join(map(str, found.lost[:20]))})" if found.lost else "; none lost"
    )
    return f"{run.decisions}: {found.saved:,} decisions saved{lost}\nthe damaged file: {found.kept_as}"


def _serve(session: ReviewSession, address: PageAddress, *, opens_browser: bool) -> None:
    """Serve the page until Ctrl-C."""
    click.echo(f"{_progress(session)}; stop with Ctrl-C")
    click.echo(address.url)
    if opens_browser:
        threading.Thread(target=webbrowser.open, args=(address.url,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        serve(session, address)


def _progress(session: ReviewSession) -> str:
    progress = session.progress()
    return f"{progress.decided:,} of {progress.total:,} issues decided"
