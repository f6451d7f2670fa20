"""``trustag predict``: entities in texts."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
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
from trustag.files.json_records import write_json_line
from trustag.files.outputs import new_file
from trustag.files.raw_texts import TOKENIZER
from trustag.notes import Note, Watch
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
    type=click.Choice(["marked", "jsonl", "conll"]),
    help="What to write. Default: texts with marked entities on a terminal, else jsonl.",
)
@click.option("--json", "json_output", is_flag=True, help="The same as --to jsonl.")
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Leave out entities that are less probable than this. Default: keep all.",
)
@click.option("--marginals", is_flag=True, help="Add the probability of each label at each token (jsonl).")
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
    """
    if (json_output or marginals) and to_format not in {None, "jsonl"}:
        raise click.UsageError(f"{'--json' if json_output else '--marginals'} means --to jsonl, not --to {to_format}")
    from trustag.export.model_loading import load  # noqa: PLC0415 - torch takes a second to load

    chosen = "jsonl" if json_output or marginals else to_format or _default_format(output)
    predictor = load(model)
    with notes, new_file(output, overwrite=overwrite) as target, _tagging(predictor, engine, model):
        predictions = predictor.stream(texts(source, reading, _watch(predictor, notes)), min_score, notes)
        if chosen == "conll":
            conll.write(_labelled(predictions), target, WriteOptions(), notes)
        elif chosen == "jsonl":
            _write_json(predictor, predictions, target, marginals=marginals)
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


def _watch(predictor: "Predictor", notes: NotesOnScreen) -> Watch:
    """Return what receives the notes on reading; texts split otherwise than the training texts are reported too."""

    def watch(note: Note) -> None:
        notes(note)
        if note.reason == TOKENIZER and predictor.expects_words:
            detail = "the model was trained on words: choose the tokenizer of the training texts with --tokenizer"
            notes(Note("suspicious", "characters for a model of words", detail, note.source))

    return watch


def _default_format(output: Path) -> str:
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


def _write_json(
    predictor: "Predictor", predictions: Iterator["Prediction"], target: BinaryIO, *, marginals: bool
) -> None:
    for prediction in predictions:
        record: dict[str, object] = {
            "text": prediction.sentence.text,
            "tokens": prediction.sentence.tokens,
            "ner_tags": prediction.labels,
            "entities": [asdict(entity) for entity in prediction.entities],
        }
        if marginals:
            (table,) = predictor.predict_marginals([prediction.sentence.tokens])
            record["marginals"] = [dict(zip(predictor.labels, map(float, row), strict=True)) for row in table]
        write_json_line(target, record)
