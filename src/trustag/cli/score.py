"""``trustag score``: labels compared with gold labels."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import as_json
from trustag.cli.reading_options import reading_options
from trustag.cli.score_tables import (
    conlleval_lines,
    noise_as_values,
    noise_lines,
    overlap_table,
    overlaps_as_values,
    report_table,
    scheme_lines,
    scores_as_values,
    unknown_lines,
)
from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import InputError
from trustag.noise.measures import NoiseTally
from trustag.notes import Watch
from trustag.text.overlap_scores import SCHEMAS, OverlapTally, Schema
from trustag.text.pairing import SchemesTally, labels_beside_gold, paired_labels
from trustag.text.schemes import Scheme, parse_scheme
from trustag.text.scoring import EntityTally, LabelPair


@click.command()
@click.argument("gold", metavar="GOLD")
@click.argument("predicted", metavar="[PRED]", required=False)
@click.option(
    "--strict",
    metavar="SCHEME",
    help="Count only entities that are valid in SCHEME, as seqeval's strict mode does.",
)
@click.option(
    "--schema",
    "schemas",
    type=click.Choice(SCHEMAS),
    multiple=True,
    help="Show only this one of nervaluate's schemas; may be repeated. Default: all.",
)
@reading_options
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print everything as JSON instead of tables.")
def score(
    gold: str,
    predicted: str | None,
    reading: CorpusOptions,
    strict: str | None,
    schemas: tuple[Schema, ...],
    notes: NotesOnScreen,
    json_output: bool,
) -> None:
    """Compare the labels of PRED with those of GOLD, entity by entity.

    Both must have the same sentences and tokens. If GOLD has a gold column, that column is the reference. With one
    file alone, its labels are compared with its own gold column, and their noise is measured.

    Labels of any scheme are read as conlleval and seqeval read them; a ratio with denominator 0 is 0.

    \b
    trustag score gold.conll predicted.conll
    trustag score gold.conll predicted.conll --strict IOB2 --json
    trustag score noisy-with-gold-column.conll
    """
    scheme = parse_scheme(strict) if strict else None
    outcome = _Outcome(EntityTally(scheme), OverlapTally(scheme), SchemesTally(), _noise_tallies(alone=not predicted))
    with notes:
        outcome.add_all(_pairs(gold, predicted, reading, scheme, notes))
    shown = schemas or SCHEMAS
    click.echo(as_json(outcome.values(shown)) if json_output else outcome.text(shown))


def _pairs(
    gold: str, predicted: str | None, reading: CorpusOptions, strict: Scheme | None, watch: Watch
) -> Iterator[LabelPair]:
    if predicted is None:
        return labels_beside_gold(stream(gold, reading, watch), strict)
    if gold == predicted == "-":
        raise InputError("GOLD and PRED cannot both be standard input", remedy="give a file for one of them")
    return paired_labels(stream(gold, reading, watch), stream(predicted, reading, watch), strict)


def _noise_tallies(*, alone: bool) -> tuple[NoiseTally, ...]:
    return (NoiseTally(), NoiseTally(Scheme.IOBES)) if alone else ()


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Everything that is counted in one pass, and how it is printed."""

    entities: EntityTally
    overlaps: OverlapTally
    schemes: SchemesTally
    noise: tuple[NoiseTally, ...]

    def add_all(self, pairs: Iterable[LabelPair]) -> None:
        for gold, predicted in pairs:
            self.entities.add(gold, predicted)
            self.overlaps.add(gold, predicted)
            self.schemes.add(gold, predicted)
            for tally in self.noise:
                tally.add(gold, predicted)

    def text(self, schemas: Iterable[Schema]) -> str:
        scores = self.entities.result()
        gold, predicted = self.schemes.result()
        remarks = [unknown_lines(scores), scheme_lines(gold.scheme, predicted.scheme)]
        blocks = [
            report_table(scores),
            "\n".join([conlleval_lines(scores), *filter(None, remarks)]),
            overlap_table(self.overlaps.result(), schemas),
        ]
        if self.noise:
            written, iobes = (tally.result() for tally in self.noise)
            blocks.append(noise_lines(written, iobes))
        return "\n\n".join(blocks)

    def values(self, schemas: Iterable[Schema]) -> dict[str, Any]:
        gold, predicted = self.schemes.result()
        values = scores_as_values(self.entities.result())
        values["schemes"] = {"gold": gold.scheme, "predicted": predicted.scheme}
        values["overlaps"] = overlaps_as_values(self.overlaps.result(), schemas)
        if self.noise:
            written, iobes = (noise_as_values(tally.result()) for tally in self.noise)
            values["noise"] = {"as_written": written, "IOBES": iobes}
        return values
