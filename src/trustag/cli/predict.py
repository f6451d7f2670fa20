"""``trustag predict``: entities in texts."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
from msgspec.structs import replace

from trustag.cli.engine_option import engine_option
from trustag.cli.entity_lines import EntityMarker
from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.reading_options import text_options
from trustag.corpora.locating import CorpusOptions
from trustag.corpora.texts import texts
from trustag.engines.choice import EngineChoice
from trustag.files import conll
from trustag.files.formats import WriteOptions
from trustag.files.inputs import STANDARD_STREAM
from trustag.files.outputs import new_file
from trustag.text.sentences import Sentence

if TYPE_CHECKING:
    from trustag.models.prediction import Prediction, Predictor


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("source", metavar="IN")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default="-", help="File to write. Default: standard output."
)
@text_options
@click.option(
    "--to",
    "to_format",
    type=click.Choice(["marked", "jsonl", "conll", "parquet"]),
    help="What to write. Default: texts with marked entities on a terminal, parquet for .parquet, else jsonl.",
)
@click.option("--json", "json_output", is_flag=True, help="The same as --to jsonl.")
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Leave out entities that are less probable than this. Default: keep all.",
)
@click.option("--marginals", is_flag=True, help="Add the probability of each label at each token (jsonl).")
@click.option("--documents", is_flag=True, help="Texts are documents: read them sentence by sentence.")
@click.option(
    "--resume", is_flag=True, help="Continue after the last whole line of an interrupted call; give it from the start."
)
@click.option("--overwrite", is_flag=True, help="Overwrite the output if it exists.")
@engine_option
@notes_option
def predict(
    model: Path,
    source: str,
    output: Path,
    reading: CorpusOptions,
    to_format: str | None,
    json_output: bool,
    min_score: float,
    marginals: bool,
    documents: bool,
    resume: bool,
    overwrite: bool,
    engine: EngineChoice | None,
    notes: NotesOnScreen,
) -> None:
    """Find the entities in IN with MODEL, a model folder or a run.

    IN is a text in quotes, a file with one text per line, a corpus in any format (its labels are ignored and may be
    missing), or - for standard input. Sentences keep their order and every token gets a label. JSON lines contain
    tokens, ner_tags and entities with character offsets; the score of an entity is its exact probability.

    \b
    trustag predict run "Ann Smith moved to New York."
    trustag predict run articles.txt -o entities.jsonl
    trustag predict run test.conll --to conll -o predicted.conll
    trustag predict run large.jsonl.gz -o entities.parquet --engine local:4 --resume
    """
    if (json_output or marginals) and to_format not in {None, "jsonl"}:
        raise click.UsageError(f"{'--json' if json_output else '--marginals'} means --to jsonl, not --to {to_format}")
    chosen = "jsonl" if json_output or marginals else to_format or _default_format(output)
    if chosen in {"jsonl", "parquet"}:
        from trustag.batch_tagging.tagged_chunks import TaggingOptions  # noqa: PLC0415 - numpy takes time to load
        from trustag.batch_tagging.tagging_job import TaggingJob  # noqa: PLC0415
        from trustag.cli.batch_prediction import RecordsOutput, write_records  # noqa: PLC0415

        job = TaggingJob(model, source, repr(reading), TaggingOptions(min_score, marginals, documents))
        with notes:
            write_records(job, reading, RecordsOutput(output, chosen == "parquet", resume, overwrite), engine, notes)
        return
    if resume:
        raise click.UsageError(f"--resume writes jsonl or parquet, not {chosen}")
    from trustag.batch_tagging.tagged_chunks import loaded_model  # noqa: PLC0415 - torch takes a second to load
    from trustag.cli.batch_prediction import watch_reading  # noqa: PLC0415

    predictor = loaded_model(model)
    with notes, new_file(output, overwrite=overwrite) as target, _tagging(predictor, engine, model):
        read = predictor.documents if documents else predictor.stream
        predictions = read(texts(source, reading, watch_reading(model, notes)), min_score, notes)
        if chosen == "conll":
            conll.write(_labelled(predictions), target, WriteOptions(), notes)
        else:
            _write_marked(predictions, target, on_terminal=output == STANDARD_STREAM)


@contextmanager
def _tagging(predictor: "Predictor", choice: EngineChoice | None, model: Path) -> Iterator[None]:
    """Have the sentences tagged by an engine, if one was chosen."""
    if choice is None or choice == EngineChoice("local", 1):
        yield
        return
    from trustag.export.parallel_tagging import EngineTagger  # noqa: PLC0415 - loads what the model needs

    with choice.open() as engine:
        predictor.tagger = EngineTagger(predictor.tagger, engine, model)
        yield


def _default_format(output: Path) -> str:
    if output.suffix.lower() == ".parquet":
        return "parquet"
    return "marked" if output == STANDARD_STREAM and sys.stdout.isatty() else "jsonl"


def _write_marked(predictions: Iterator["Prediction"], target: BinaryIO, *, on_terminal: bool) -> None:
    from rich.console import Console  # noqa: PLC0415 - rich takes time to load

    console = Console(highlight=False, soft_wrap=True)
    marker = EntityMarker()
    for prediction in predictions:
        marked = marker.marked(prediction)
        if on_terminal:
            console.print(marked)
        else:
            target.write(f"{marked.plain}\n".encode())


def _labelled(predictions: Iterator["Prediction"]) -> Iterator[Sentence]:
    for prediction in predictions:
        if prediction.sentence.tokens:
            yield replace(prediction.sentence, labels=prediction.labels, gold=None)
