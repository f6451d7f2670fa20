"""``trustag predict``: entities in texts."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click
from msgspec.structs import replace

from trustag.cli.notes import NotesOnScreen, notes_option
from trustag.corpora.locating import CorpusOptions, stream
from trustag.files import conll
from trustag.files.formats import TokenizerName, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import write_json_line
from trustag.files.outputs import new_file
from trustag.files.registry import FORMATS
from trustag.text.sentences import Sentence, Source

if TYPE_CHECKING:
    from trustag.models.prediction import Predictor


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("source", metavar="IN")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default="-", help="File to write. Default: standard output."
)
@click.option(
    "--from",
    "from_format",
    type=click.Choice(["text", "tokens", *FORMATS]),
    default="text",
    show_default=True,
    help="What IN contains: one text per line, space-separated tokens per line, or a corpus (labels are ignored).",
)
@click.option("--to", "to_format", type=click.Choice(["jsonl", "conll"]), default="jsonl", show_default=True)
@click.option("--encoding", default="utf-8", show_default=True, help="Encoding of text files.")
@click.option("--tokenizer", type=click.Choice(["regex", "whitespace", "spacy"]), default="regex", show_default=True)
@click.option("--marginals", is_flag=True, help="Add the probability of each label at each token (jsonl).")
@click.option("--overwrite", is_flag=True, help="Overwrite the output if it exists.")
@notes_option
def predict(
    model: Path,
    source: str,
    output: Path,
    from_format: str,
    to_format: str,
    encoding: str,
    tokenizer: TokenizerName,
    marginals: bool,
    overwrite: bool,
    notes: NotesOnScreen,
) -> None:
    """Find the entities in IN (- is standard input) with MODEL, a model folder or a run.

    Sentences keep their order and every token gets a label. JSON lines contain tokens, ner_tags and entities with
    character offsets; the score of an entity is its exact probability.

    \b
    echo "Ann Smith moved to New York ." | trustag predict run -
    trustag predict run articles.txt -o entities.jsonl
    trustag predict run test.conll --from conll --to conll -o predicted.conll
    """
    from trustag.models.prediction import load  # noqa: PLC0415 - torch takes a second to load

    predictor = load(model, tokenizer)
    with notes, new_file(output, overwrite=overwrite) as target:
        sentences = _sentences(predictor, source, from_format, encoding, notes)
        if to_format == "conll":
            labelled = (
                replace(prediction.sentence, labels=prediction.labels, gold=None)
                for prediction in predictor.stream(sentence for sentence in sentences if sentence.tokens)
            )
            conll.write(labelled, target, WriteOptions(), notes)
        else:
            _write_json(predictor, sentences, target, marginals=marginals)


def _sentences(
    predictor: "Predictor", source: str, from_format: str, encoding: str, notes: NotesOnScreen
) -> Iterator[Sentence]:
    if from_format not in {"text", "tokens"}:
        yield from stream(source, CorpusOptions(from_format, encoding), notes)
        return
    file = InputFile(Path(source), encoding)
    for number, line in enumerate(file.lines(), start=1):
        location = Source(file.name, number)
        if from_format == "text":
            yield replace(predictor.sentence(line), source=location)
        else:
            tokens = tuple(line.split())
            yield Sentence(tokens, (None,) * len(tokens), source=location)


def _write_json(predictor: "Predictor", sentences: Iterator[Sentence], target: BinaryIO, *, marginals: bool) -> None:
    for prediction in predictor.stream(sentences):
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
