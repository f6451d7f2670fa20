"""``trustag label``: labels for texts from lists of names."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import aligned, as_json
from trustag.cli.reading_options import FORMAT_NAMES, text_options
from trustag.corpora.conversion import RoomCheck, choose_format, write_corpus
from trustag.corpora.locating import CorpusOptions
from trustag.files.formats import WriteOptions
from trustag.files.inputs import STANDARD_STREAM
from trustag.labelling.configuration import build_labeller, read_settings
from trustag.labelling.documents import in_documents, read_documents
from trustag.labelling.labeller import LabelledSentence, Labeller
from trustag.labelling.sentence_splitting import Splitting
from trustag.labelling.tallies import LabellingTally
from trustag.text.sentences import Sentence


@click.command()
@click.argument("sources", metavar="TEXT...", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Corpus to write; - prints it.")
@click.option(
    "--gazetteer",
    "lists",
    multiple=True,
    metavar="[TYPE=]PATH",
    help="A list of names, or a folder of lists: one form a line, TYPE<TAB>form, CSV or JSON. unknown=PATH: names of "
    "unknown types, whose labels stay unknown. Repeatable.",
)
@click.option("--config", type=click.Path(path_type=Path), help="A TOML file with all settings of labelling.")
@click.option("--language", metavar="CODE", help="Language of the texts, such as de. Default: en.")
@click.option(
    "--cover", type=click.Choice(["longest", "best"]), help="Which overlapping names count. Default: longest."
)
@click.option(
    "--ambiguous",
    type=click.Choice(["unknown", "drop", "first"]),
    help="Names whose types have equally many votes: unknown, no name (drop), or the first list. Default: unknown.",
)
@click.option(
    "--sentences",
    type=click.Choice(["auto", "lines"]),
    help="Where raw text is split: by the rules of the language (auto), or at each line. Default: auto.",
)
@text_options
@click.option("--to", "to_format", type=click.Choice(FORMAT_NAMES), help="Format to write. Default: by the name.")
@click.option("--overwrite", is_flag=True, help="Overwrite the output if it exists.")
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print the summary as JSON.")
def label(
    sources: tuple[str, ...],
    output: Path,
    lists: tuple[str, ...],
    config: Path | None,
    language: str | None,
    cover: str | None,
    ambiguous: str | None,
    sentences: str | None,
    reading: CorpusOptions,
    to_format: str | None,
    overwrite: bool,
    notes: NotesOnScreen,
    json_output: bool,
) -> None:
    """Label each TEXT by lists of names, and write a corpus in which every label says where it comes from.

    A TEXT is a file of plain text, a text in quotes, a corpus in any format, or - for standard input. Plain text is
    split into sentences and tokens by the rules of the language. Labels that a corpus has are replaced; its gold
    labels are kept.

    \b
    trustag label articles.txt --gazetteer LOC=places.txt --gazetteer people.tsv -o noisy.conll
    trustag label articles.txt --config label.toml -o noisy.conll
    """
    tokenizer = None if reading.options.tokenizer == "auto" else reading.options.tokenizer
    changes = {
        "language": language,
        "cover": cover,
        "ambiguous": ambiguous,
        "sentences": sentences,
        "tokenizer": tokenizer,
    }
    settings = read_settings(config, changes, lists)
    splitting = Splitting(settings.language, settings.sentences, settings.tokenizer)
    destination = choose_format(output, to_format)
    tally, room = LabellingTally(), RoomCheck(destination)
    with notes:
        labeller = build_labeller(settings, notes)
        documents = in_documents(read_documents(sources, reading, splitting, notes), settings.document_sentences)
        written = room.admitted(tally.counted(_labelled(labeller, documents)), notes)
        options = WriteOptions(tags=labeller.tags)
        write_corpus({"train": written}, output, destination, options, overwrite=overwrite, watch=notes)
        room.report(notes)
    to_screen = output == STANDARD_STREAM
    if json_output:
        click.echo(as_json(tally), err=to_screen)
    elif not (to_screen and notes.quiet):
        click.echo("\n".join(_summary(output, tally)), err=to_screen)


def _labelled(labeller: Labeller, documents: Iterable[list[Sentence]]) -> Iterator[LabelledSentence]:
    return chain.from_iterable(map(labeller.label, documents))


def _summary(output: Path, tally: LabellingTally) -> Iterator[str]:
    count = sum(tally.types.values())
    yield f"{output}: {tally.sentences:,} sentences, {tally.tokens:,} tokens, {count:,} entities"
    if tally.unknown:
        yield f"  {tally.unknown:,} names of unknown type: their labels are unknown, not O"
    rows = [["type", "entities"], *([kind, f"{number:,}"] for kind, number in tally.types.most_common())]
    yield from aligned(rows, header=True)
    rows = [["source", "names"], *([name, f"{number:,}"] for name, number in tally.sources.most_common())]
    yield from aligned(rows, header=True)
