"""``trustag issues``: the labels that look wrong, on the screen or for other tools."""

from pathlib import Path
from typing import cast

import click

from trustag.cli.issue_lines import issue_lines
from trustag.cli.notes import NotesOnScreen, notes_option
from trustag.cli.orders import order_option
from trustag.cli.reading import reading_options
from trustag.corpora.locating import CorpusOptions, stream
from trustag.files.outputs import new_file
from trustag.issues.exports import EXPORTS, export_for, write_export
from trustag.issues.files import issues_of_run
from trustag.issues.filtering import Choice, Order, in_order
from trustag.issues.issue import KINDS, Kind
from trustag.issues.listing import Issues
from trustag.notes import Note


@click.command()
@click.argument("source", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("corpus", metavar="[CORPUS]", required=False)
@click.option("--top", type=click.IntRange(min=1), help="Only the first so many. Default: 20 on the screen, else all.")
@order_option
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only issues of this kind; repeatable.")
@click.option("--type", "types", multiple=True, help="Only issues with this entity type in either reading; repeatable.")
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Only issues at least this likely errors.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write instead of the screen.")
@click.option(
    "--to",
    "--format",
    "form",
    type=click.Choice(list(EXPORTS)),
    help="Form to write. Default: told by the name of the file.",
)
@click.option("--overwrite", is_flag=True, help="Replace the output if it exists.")
@reading_options
@notes_option
def issues(
    source: Path,
    corpus: str | None,
    top: int | None,
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
    """List the labels that look wrong in RUN's training corpus, worst first, with what they should be.

    The score says how likely the given label is wrong. Kinds: an entity was missed, is spurious, has wrong boundaries,
    or the wrong type. With CORPUS, RUN may be any model, and the labels of CORPUS are judged; the model must not have
    been trained on them.

    The same decision made many times is one line on the screen. Written out, issues are JSON lines or CSV (one an
    entry), or tasks for Label Studio, doccano, Prodigy or Argilla (one a sentence, opening with the suggestion).

    \b
    trustag issues run
    trustag issues run --kind type --type PER --top 50
    trustag issues run -o issues.csv
    trustag issues run -o tasks.json --to label-studio --top 300 --order unsure
    trustag issues run other.conll
    """
    with notes:
        found = issues_of_run(source) if corpus is None else _judged(source, corpus, reading, notes)
    choice = Choice(cast("frozenset[Kind]", frozenset(kinds)), frozenset(types), min_score, top)
    chosen = choice.of(in_order(found.issues, order))
    if output is None and form is None:
        click.echo("\n".join(issue_lines(chosen, found, all_shown=top is not None)))
        return
    target = Path("-") if output is None else output
    name = form or export_for(target)
    with new_file(target, overwrite=overwrite) as stream_out:
        write_export(stream_out, name, chosen, found.sentences)
    click.echo(f"{target}: {len(chosen):,} of {len(found.issues):,} issues as {name}", err=True)


def _judged(model: Path, corpus: str, reading: CorpusOptions, notes: NotesOnScreen) -> Issues:
    from trustag.models.saving import load_model  # noqa: PLC0415 - torch takes a second to load
    from trustag.training.model_issues import issues_by_model  # noqa: PLC0415

    every = list(stream(corpus, reading, notes))
    sentences = [sentence for sentence in every if sentence.tokens]
    if len(sentences) < len(every):
        notes(Note("left out", "sentences without tokens", f"{len(every) - len(sentences)} of them"))
    return Issues(tuple(sentences), tuple(issues_by_model(load_model(model), sentences)))
