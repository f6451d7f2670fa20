"""``trustag perturb``: a clean corpus with controlled noise."""

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import aligned, as_json
from trustag.cli.reading_options import FORMAT_NAMES, reading_options
from trustag.corpora.conversion import Conversion
from trustag.corpora.locating import CorpusOptions, locate
from trustag.corpora.perturbing import perturb_corpus
from trustag.noise.additions import Additions
from trustag.noise.perturbation import Perturbation, Perturbed, Unit

_DEFAULTS: Final = Perturbation()


@click.command()
@click.argument("gold", metavar="GOLD")
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), required=True, help="File or folder to write."
)
@click.option(
    "--recall",
    type=float,
    default=_DEFAULTS.recall,
    show_default=True,
    help="Share of the entities that keep their label.",
)
@click.option(
    "--precision",
    type=float,
    default=_DEFAULTS.precision,
    show_default=True,
    help="Share of the labelled entities that are correct, after random spans are added.",
)
@click.option(
    "--seed",
    type=int,
    default=_DEFAULTS.seed,
    show_default=True,
    help="The same seed gives the same noise.",
)
@click.option(
    "--unit",
    type=click.Choice(get_args(Unit)),
    default=_DEFAULTS.unit,
    show_default=True,
    help="What loses its label together: all mentions with the same words, or each mention on its own.",
)
@click.option(
    "--additions",
    type=click.Choice(get_args(Additions)),
    default=_DEFAULTS.additions,
    show_default=True,
    help="How many random spans are added: until precision is exact, or a share of the remaining entities.",
)
@click.option(
    "--type-flip",
    type=float,
    default=_DEFAULTS.type_flip,
    show_default=True,
    help="Share of the labelled entities that get another type.",
)
@click.option(
    "--boundary-shift",
    type=float,
    default=_DEFAULTS.boundary_shift,
    show_default=True,
    help="Share of the labelled entities that grow or shrink by one token.",
)
@reading_options
@click.option(
    "--to", "to_format", type=click.Choice(FORMAT_NAMES), help="Format to write. Default: by the name, else CoNLL."
)
@click.option("--overwrite", is_flag=True, help="Overwrite the output if it exists.")
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print the summary as JSON.")
def perturb(
    gold: str,
    target: Path,
    recall: float,
    precision: float,
    seed: int,
    unit: Unit,
    additions: Additions,
    type_flip: float,
    boundary_shift: float,
    reading: CorpusOptions,
    to_format: str | None,
    overwrite: bool,
    notes: NotesOnScreen,
    json_output: bool,
) -> None:
    """Add controlled noise to the clean labels of GOLD, and write noisy and clean labels side by side.

    First, entities lose their label until recall is reached; then random spans are labelled until precision is
    reached; type flips and boundary shifts come last. Of a corpus with several splits, only train gets noise; the
    others are copied unchanged if the output is a folder. Unknown labels of GOLD stay unknown.

    \b
    trustag perturb train.conll -o noisy.conll --recall 0.5 --precision 0.9 --seed 1
    trustag perturb corpus-folder -o noisy-folder --recall 0.7 --precision 1 --type-flip 0.1
    trustag perturb demo -o noisy-demo --unit mention
    """
    recipe = Perturbation(recall, precision, seed, unit, type_flip, boundary_shift, additions)
    conversion = Conversion(format=to_format, overwrite=overwrite)
    with notes:
        perturbed = perturb_corpus(locate(gold, reading), target, recipe, conversion, notes)
    to_screen = str(target) == "-"
    if json_output:
        values = {**_as_values(perturbed), "recipe": dataclasses.asdict(recipe), "notes": notes.as_counts()}
        click.echo(as_json(values), err=to_screen)
    else:
        click.echo("\n".join(_summary(f"{gold} -> {target}", perturbed)), err=to_screen)


def _as_values(perturbed: Perturbed) -> dict[str, Any]:
    measured = perturbed.measured
    return {
        "scheme": perturbed.scheme,
        "sentences": len(perturbed.sentences),
        "tokens": measured.tokens,
        "entities": perturbed.entities,
        "removed": perturbed.removed,
        "added": perturbed.added,
        "returned": perturbed.returned,
        "flipped": perturbed.flipped,
        "shifted": perturbed.shifted,
        "added_lengths": {str(length): count for length, count in perturbed.added_lengths.items()},
        "added_types": perturbed.added_types,
        "precision": measured.entities.precision if measured.entities.found else None,
        "recall": measured.entities.recall if measured.entities.support else None,
        "tau_p": measured.tau_p,
        "tau_n": measured.tau_n,
    }


def _summary(title: str, perturbed: Perturbed) -> Iterator[str]:
    values = _as_values(perturbed)
    yield title
    yield f"  {values['sentences']:,} sentences, {values['tokens']:,} tokens, {values['entities']:,} entities"
    back = f" ({perturbed.returned} of them correct)" if perturbed.returned else ""
    yield (
        f"  {perturbed.removed:,} removed, {perturbed.added:,} added{back}, "
        f"{perturbed.flipped:,} with another type, {perturbed.shifted:,} with a shifted boundary"
    )
    if perturbed.added:
        yield f"  added by length: {_histogram(perturbed.added_lengths)}"
        yield f"  added by type: {_histogram(perturbed.added_types)}"
    yield "achieved"
    rows = [
        ("  precision", _rate(values["precision"]), "share of labelled entities that are correct"),
        ("  recall", _rate(values["recall"]), "share of gold entities that are labelled"),
        ("  tau_p", _rate(values["tau_p"]), "share of entity labels that are wrong, in IOBES"),
        ("  tau_n", _rate(values["tau_n"]), "share of O labels that miss part of an entity"),
    ]
    yield from aligned(rows, left=3)


def _histogram(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{key} {count:,}" for key, count in counts.items())


def _rate(value: float | None) -> str:
    return "none" if value is None else f"{value:.4f}"
