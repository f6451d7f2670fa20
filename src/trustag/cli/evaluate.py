"""``trustag evaluate``: the scores of a model on a labelled corpus."""

from pathlib import Path

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import as_json
from trustag.cli.reading_options import reading_options
from trustag.cli.score_tables import conlleval_lines, report_table, scores_as_values, unknown_lines
from trustag.corpora.locating import CorpusOptions, stream


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("corpus")
@reading_options
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print as JSON.")
def evaluate(model: Path, corpus: str, reading: CorpusOptions, notes: NotesOnScreen, json_output: bool) -> None:
    """Tag CORPUS with MODEL (a model folder or a run) and score the predictions against its labels.

    \b
    trustag evaluate run test.conll
    trustag evaluate run demo:test --json
    """
    from trustag.models.saving import load_model  # noqa: PLC0415 - torch takes a second to load
    from trustag.training.fitting import score  # noqa: PLC0415

    with notes:
        scores = score(load_model(model), list(stream(corpus, reading, notes)))
    if json_output:
        click.echo(as_json(scores_as_values(scores)))
    else:
        parts = (report_table(scores), conlleval_lines(scores), unknown_lines(scores))
        click.echo("\n\n".join(part for part in parts if part))
