"""``trustag review``: a local web page for deciding on label issues."""

import threading
import webbrowser
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias

import click
from click.core import ParameterSource

from trustag.cli.orders import order_option
from trustag.errors import InputError
from trustag.files.outputs import new_file
from trustag.issues.filtering import Order
from trustag.review.decisions import DecisionLog
from trustag.review.exporting import decision_lines
from trustag.review.issue_queue import QueueOrder
from trustag.review.recovery import recover as recover_decisions
from trustag.review.reviewed_run import ReviewedRun, open_reviewed_run
from trustag.review.rules import as_toml, rules_of
from trustag.review.server import PageAddress, bind, serve
from trustag.review.session import ReviewSession
from trustag.runs.folder import require_run
from trustag.runs.writer_lock import only_writer

By: TypeAlias = Literal["mixed", "form", "place"]

DEFAULT_BY: Final[By] = "mixed"


@click.command()
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.option(
    "--by",
    type=click.Choice(["mixed", "form", "place"]),
    help="What to decide on. form: all occurrences of a name with the same label at once; place: one issue at a time; "
    "mixed: forms and the places that models are least certain about, in turn. Default: mixed, or place with --order.",
)
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
@click.option(
    "--export-rules",
    "rules",
    type=click.Path(path_type=Path),
    help="Write the decisions on forms as rules, for trustag apply --rules, and exit.",
)
@click.option("--overwrite", is_flag=True, help="Replace the exported files if they exist.")
@click.option("--recover", is_flag=True, help="Save what is whole in a damaged decisions.sqlite, and exit.")
def review(
    run: Path,
    by: By | None,
    order: Order,
    port: int,
    no_browser: bool,
    host: str,
    password: str | None,
    exported: Path | None,
    rules: Path | None,
    overwrite: bool,
    recover: bool,
) -> None:
    """Review the label issues of RUN in a browser, by keyboard or mouse, alone or with others.

    The page is only reachable from this machine, and is served until you press Ctrl-C. Every decision is written to
    decisions.sqlite in RUN before the page confirms it, so you can stop and resume at any time. When you are done,
    write the corrected corpus with trustag apply.

    \b
    trustag review run
    trustag review run --by form
    trustag review run --order unsure
    trustag review run --export decisions.jsonl --export-rules rules.toml
    """
    chosen_order = _queue_order(by, order)
    require_run(run)
    with only_writer(run, "trustag review"):
        reviewed = open_reviewed_run(run)
        if recover:
            click.echo(_recovered(reviewed))
            return
        log = DecisionLog(reviewed.decisions, reviewed.fingerprint, reviewed.older_fingerprint)
        session = ReviewSession(reviewed, log, chosen_order)
        if exported is not None or rules is not None:
            _export(session, exported, rules, overwrite=overwrite)
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


def _export(session: ReviewSession, decisions: Path | None, rules: Path | None, *, overwrite: bool) -> None:
    """Write the log and the rules to the files that are named: both of them or, if one cannot be written, neither."""
    found = rules_of(session)
    if rules is not None and not found:
        raise InputError("no decisions on forms yet", where=session.run.path, remedy="make some with --by form")
    with ExitStack() as files:
        if decisions is not None:
            files.enter_context(new_file(decisions, overwrite=overwrite)).writelines(decision_lines(session.state))
        if rules is not None:
            files.enter_context(new_file(rules, overwrite=overwrite)).write(as_toml(found))


def _queue_order(by: By | None, order: Order) -> QueueOrder:
    """Return the order of the queue that the options ask for; places alone have an order of their own."""
    is_ordered = click.get_current_context().get_parameter_source("order") is not ParameterSource.DEFAULT
    if by is None:
        by = "place" if is_ordered else DEFAULT_BY
    if by == "place":
        return order
    if is_ordered:
        raise click.UsageError(f"--order is for places: omit it, or --by {by}")
    return by
