"""``trustag convert``: a corpus in another format or tagging scheme."""

import dataclasses
from pathlib import Path

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import as_json
from trustag.cli.reading_options import FORMAT_NAMES, reading_options
from trustag.corpora.conversion import Conversion, Converted
from trustag.corpora.conversion import convert as convert_corpus
from trustag.corpora.legality import OnIllegal
from trustag.corpora.locating import CorpusOptions, locate
from trustag.text.schemes import parse_scheme


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@reading_options
@click.option(
    "--to", "to_format", type=click.Choice(FORMAT_NAMES), help="Format to write. Default: by the name of OUT."
)
@click.option(
    "--scheme", help="Tagging scheme to write: IO, IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMES. Default: unchanged."
)
@click.option(
    "--on-illegal",
    type=click.Choice(["repair", "error", "keep"]),
    default="keep",
    help="What to do with labels that are illegal in their scheme: repair them as conlleval reads them and list each, "
    "stop, or keep them.",
)
@click.option("--tabs", is_flag=True, help="Separate the columns of CoNLL or CSV by tabs instead of spaces or commas.")
@click.option("--overwrite", is_flag=True, help="Overwrite OUT if it exists.")
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print the summary as JSON.")
def convert(
    source: str,
    target: Path,
    reading: CorpusOptions,
    to_format: str | None,
    scheme: str | None,
    on_illegal: OnIllegal,
    tabs: bool,
    overwrite: bool,
    notes: NotesOnScreen,
    json_output: bool,
) -> None:
    """Write the corpus IN to OUT in another format or tagging scheme.

    Nothing is lost silently: everything that is repaired, dropped or not supported by the new format is listed on
    standard error and counted. A corpus with several splits becomes a folder.

    \b
    trustag convert train.conll train.jsonl
    trustag convert annotations.json train.conll --on-illegal repair --scheme BIOES
    trustag convert corpus-folder bond-folder --to bond
    """
    conversion = Conversion(
        format=to_format,
        scheme=parse_scheme(scheme) if scheme else None,
        on_illegal=on_illegal,
        delimiter="\t" if tabs else " ",
        overwrite=overwrite,
    )
    with notes:
        converted = convert_corpus(locate(source, reading), target, conversion, notes)
    to_screen = str(target) == "-"
    if json_output:
        click.echo(as_json({**dataclasses.asdict(converted), "notes": notes.as_counts()}), err=to_screen)
    else:
        click.echo(_summary(source, target, converted), err=to_screen)


def _summary(source: str, target: Path, converted: Converted) -> str:
    parts = [
        f"{split}: {tally.sentences:,} sentences, {tally.tokens:,} tokens, {tally.entities:,} entities"
        for split, tally in converted.splits.items()
    ]
    return f"{source} ({converted.source_format}) -> {target} ({converted.format})\n  " + "\n  ".join(parts)
