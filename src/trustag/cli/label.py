"""``trustag label``: labels for texts from lists of names, rules and a knowledge base."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from trustag.cli.engine_option import engine_option
from trustag.cli.labelling_lines import explained, summary_lines
from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import as_json
from trustag.cli.reading_options import FORMAT_NAMES, text_options
from trustag.corpora.conversion import RoomCheck, choose_format, write_corpus
from trustag.corpora.locating import CorpusOptions
from trustag.engines.choice import EngineChoice, read_engine
from trustag.files.formats import Format, WriteOptions
from trustag.files.inputs import STANDARD_STREAM
from trustag.labelling.configuration import build_labeller, read_settings
from trustag.labelling.documents import in_documents, read_documents
from trustag.labelling.labeller import LabelledSentence
from trustag.labelling.sentence_splitting import Splitting
from trustag.labelling.sharding import label_by
from trustag.labelling.tallies import LabellingTally
from trustag.notes import Watch
from trustag.text.sentences import Sentence


@click.command()
@click.argument("sources", metavar="TEXT...", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Corpus to write; - prints it.")
@click.option(
    "--gazetteer",
    "lists",
    multiple=True,
    metavar="[TYPE=]PATH",
    help="A list of names, or a folder of lists: one form a line, TYPE<TAB>form, CSV or JSON. unknown=PATH: names of "
    "unknown types, whose labels stay unknown. builtin:NAME, or builtin for all that come with Trustag. Repeatable.",
)
@click.option("--config", type=click.Path(path_type=Path), help="A TOML file with all settings of labelling.")
@click.option(
    "--candidates",
    metavar="NAME",
    help="What finds candidates for names: none (lists alone), capitals, textblob (en), hanta (de, nl, en), "
    "spacy:PIPELINE, or your own as package.module:NAME. Default: none, or capitals with --rules or --kb.",
)
@click.option(
    "--rules",
    multiple=True,
    metavar="NAME|FILE",
    help="Rules that say what candidates are: en, de, nl, es, or a TOML file of your own. Repeatable.",
)
@click.option(
    "--kb",
    "knowledge_base",
    metavar="URL|STORE",
    help="A knowledge base in the shape of Wikidata: the address of a SPARQL endpoint, a pyoxigraph store, or a dump.",
)
@click.option("--explain", is_flag=True, help="Print why each name has its label; -o is then optional.")
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
@engine_option
@click.option("--to", "to_format", type=click.Choice(FORMAT_NAMES), help="Format to write. Default: by the name.")
@click.option("--overwrite", is_flag=True, help="Overwrite the output if it exists.")
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print the summary as JSON.")
def label(
    sources: tuple[str, ...],
    output: Path | None,
    lists: tuple[str, ...],
    config: Path | None,
    candidates: str | None,
    rules: tuple[str, ...],
    knowledge_base: str | None,
    explain: bool,
    language: str | None,
    cover: str | None,
    ambiguous: str | None,
    sentences: str | None,
    reading: CorpusOptions,
    engine: EngineChoice | None,
    to_format: str | None,
    overwrite: bool,
    notes: NotesOnScreen,
    json_output: bool,
) -> None:
    """Label each TEXT by lists of names and rules, and write a corpus in which every label says where it comes from.

    A TEXT is a file of plain text, a text in quotes, a corpus in any format, or - for standard input. Plain text is
    split into sentences and tokens by the rules of the language. Labels that a corpus has are replaced; its gold
    labels are kept.

    \b
    trustag label articles.txt --gazetteer LOC=places.txt --gazetteer people.tsv -o noisy.conll
    trustag label articles.txt --gazetteer people.tsv --rules en -o noisy.conll
    trustag label "Dr. Ann Weber moved to Oslo." --rules en --explain
    """
    if output is None and not explain:
        raise click.UsageError("say what to write with -o, or --explain")
    tokenizer = None if reading.options.tokenizer == "auto" else reading.options.tokenizer
    changes = {
        "language": language,
        "candidates": candidates or ("capitals" if (rules or knowledge_base) and config is None else None),
        "knowledge_base": {"location": knowledge_base} if knowledge_base is not None else None,
        "rules": rules or None,
        "cover": cover,
        "ambiguous": ambiguous,
        "sentences": sentences,
        "tokenizer": tokenizer,
    }
    settings = read_settings(config, changes, lists)
    tally = LabellingTally()
    with notes:
        labeller = build_labeller(settings, notes)
        splitting = Splitting(settings.language, settings.sentences, settings.tokenizer)
        documents = in_documents(read_documents(sources, reading, splitting, notes), settings.document_sentences)
        chosen = engine or read_engine("local:1")
        with chosen.open() as opened:
            labelled = label_by(opened, labeller, documents, chosen.workers)
            if explain:
                labelled = _printed(labelled, err=output == STANDARD_STREAM)
            if output is None:
                for one in labelled:
                    tally.add(one)
            else:
                target = _Target(output, choose_format(output, to_format), overwrite)
                target.write(tally.counted(labelled), labeller.tags, notes)
    to_screen = output == STANDARD_STREAM
    if json_output:
        click.echo(as_json(tally), err=to_screen)
    elif not (to_screen and notes.quiet):
        click.echo("\n".join(summary_lines(output or Path("labelled"), tally)), err=to_screen)


@dataclass(frozen=True, slots=True)
class _Target:
    """Where and how a corpus is written."""

    path: Path
    format: Format
    overwrite: bool

    def write(self, sentences: Iterator[Sentence], tags: tuple[str, ...], watch: Watch) -> None:
        room = RoomCheck(self.format)
        written = {"train": room.admitted(sentences, watch)}
        options = WriteOptions(tags=tags)
        write_corpus(written, self.path, self.format, options, overwrite=self.overwrite, watch=watch)
        room.report(watch)


def _printed(labelled: Iterable[LabelledSentence], *, err: bool) -> Iterator[LabelledSentence]:
    """Yield the sentences, and print why each name has its label."""
    for one in labelled:
        for line in explained([one]):
            click.echo(line, err=err)
        yield one
