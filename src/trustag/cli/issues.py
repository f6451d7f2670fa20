"""``trustag issues``: the labels that look wrong, on the screen or as a file for other tools."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast

import click

from trustag.cli.form_lines import form_lines
from trustag.cli.issue_lines import issue_lines
from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.orders import order_option
from trustag.cli.reading_options import reading_options
from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import InputError
from trustag.files.outputs import new_file
from trustag.issues.exports import EXPORTS, export_for, write_export
from trustag.issues.filtering import IssueSelection, Order, in_order
from trustag.issues.form_records import FORM_EXPORTS
from trustag.issues.forms import find_forms, worst_first
from trustag.issues.issue import KINDS, Kind
from trustag.issues.listing import Issues
from trustag.notes import Note
from trustag.runs.issue_files import issues_of_run


@click.command()
@click.argument("source", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("corpus", metavar="[CORPUS]", required=False)
@click.option("--top", type=click.IntRange(min=1), help="Only the first N issues. Default: 20 on screen, else all.")
@click.option(
    "--by",
    type=click.Choice(["issue", "form"]),
    default="issue",
    show_default=True,
    help="form: a line for all places with the same words and the same label, such as an entry of a dictionary.",
)
@order_option
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only issues of this kind; repeatable.")
@click.option("--type", "types", multiple=True, help="Only issues that involve this entity type; repeatable.")
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Only issues with at least this score.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write instead of showing issues.")
@click.option(
    "--to",
    "--format",
    "form",
    type=click.Choice(list(EXPORTS)),
    help="Format to write. Default: by the name of the file.",
)
@click.option("--overwrite", is_flag=True, help="Overwrite the output if it exists.")
@reading_options
@notes_option
def issues(
    source: Path,
    corpus: str | None,
    top: int | None,
    by: Literal["issue", "form"],
    order: Order,
    kinds: tuple[str, ...],
    types: tuple[str, ...],
    min_score: float,
    output: Path | None,
    form: str | None,
    overwrite: bool,
    reading: CorpusOptions,
    notes: NotesOnScreen,
) -> None:
    """List the labels that look wrong in RUN's training corpus, worst first, with suggestions.

    The score is the probability that the given label is wrong. An issue is of one of four kinds: a missed entity, a
    spurious one, wrong boundaries, or the wrong type. With CORPUS, RUN may be any model, and the labels of CORPUS are
    checked; the model must not have been trained on them.

    With --by form, one line stands for all places with the same words and the same label: bad entries of a dictionary
    come first. Forms can be written as JSON lines or CSV.

    On the screen, issues that ask for the same decision are grouped into one line. Files are JSON lines or CSV (one
    record per issue), or tasks for Label Studio, doccano, Prodigy or Argilla (one per sentence, suggestion filled in).

    \b
    trustag issues run
    trustag issues run --kind type --type PER --top 50
    trustag issues run --by form
    trustag issues run -o issues.csv
    trustag issues run -o tasks.json --to label-studio --top 300 --order unsure
    trustag issues run other.conll
    """
    with notes:
        found = issues_of_run(source) if corpus is None else _issues_by_model(source, corpus, reading, notes)
    choice = IssueSelection(cast("frozenset[Kind]", frozenset(kinds)), frozenset(types), min_score, top)
    chosen = choice.of(in_order(found.issues, order))
    if by == "form":
        _show_forms(found, replace(choice, top=None), order, _FormOutput(output, form, top, overwrite=overwrite))
        return
    if output is None and form is None:
        click.echo("\n".join(issue_lines(chosen, found, all_shown=top is not None)))
        return
    target = Path("-") if output is None else output
    name = form or export_for(target)
    with new_file(target, overwrite=overwrite) as stream_out:
        write_export(stream_out, name, chosen, found.sentences)
    click.echo(f"{target}: {len(chosen):,} of {len(found.issues):,} issues as {name}", err=True)


@dataclass(frozen=True, slots=True)
class _FormOutput:
    """Where forms go: a file in a format, or the screen; and how many."""

    path: Path | None
    format: str | None
    top: int | None
    overwrite: bool


def _show_forms(found: Issues, choice: IssueSelection, order: Order, output: _FormOutput) -> None:
    """Show or write the forms of the chosen issues, those with most errors or those that teach most first."""
    doubted = [one for one in find_forms(found.sentences, choice.of(found.issues)) if one.errors > 0.0]
    forms = (worst_first(doubted) if order == "worst" else doubted)[: output.top]
    if output.path is None and output.format is None:
        click.echo("\n".join(form_lines(forms, all_shown=output.top is not None)))
        return
    target = output.path or Path("-")
    name = output.format or export_for(target)
    if name not in FORM_EXPORTS:
        raise InputError(f"forms cannot be written as {name}", where=target, remedy="use --to jsonl or csv")
    with new_file(target, overwrite=output.overwrite) as stream_out:
        FORM_EXPORTS[name](stream_out, forms)
    click.echo(f"{target}: {len(forms):,} of {len(doubted):,} forms as {name}", err=True)


def _issues_by_model(model: Path, corpus: str, reading: CorpusOptions, notes: NotesOnScreen) -> Issues:
    from trustag.models.label_checking import issues_by_model  # noqa: PLC0415
    from trustag.models.saving import load_model  # noqa: PLC0415 - torch takes a second to load

    every = list(stream(corpus, reading, notes))
    sentences = [sentence for sentence in every if sentence.tokens]
    if len(sentences) < len(every):
        notes(Note("left out", "sentences without tokens", f"{len(every) - len(sentences)} of them"))
    return Issues(tuple(sentences), tuple(issues_by_model(load_model(model), sentences)))
