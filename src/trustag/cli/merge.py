"""``trustag merge``: the labels of several annotators, models or dictionaries as one corpus."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from trustag.aggregation.labellings import Labellings, from_columns, from_files
from trustag.aggregation.merging import Merged, Rule, merge
from trustag.aggregation.source_quality import Quality, SourceSummary
from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import aligned, as_json
from trustag.cli.reading_options import FORMAT_NAMES, reading_options
from trustag.corpora.conversion import Conversion, convert
from trustag.corpora.locating import CorpusOptions, LocatedCorpus, exists, stream
from trustag.errors import InputError
from trustag.notes import Watch
from trustag.text.sentences import SOURCE_JOINT
from trustag.text.spans import read_spans


@click.command("merge")
@click.argument("files", metavar="[NAME=]FILE...", nargs=-1, required=True)
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), required=True, help="File to write, best as .jsonl."
)
@click.option(
    "--by",
    "rule",
    type=click.Choice(["hmm", "dawid-skene", "vote"]),
    default="hmm",
    show_default=True,
    help="How to decide: by a model of how each source errs, along sentences (hmm) or token by token (dawid-skene), "
    "or by the majority of the sources (vote).",
)
@click.option(
    "--annotators",
    metavar="NAMES",
    help="Of one file: the columns with the labels of each source, as in anna,ben; label is the usual column. "
    "Default: all columns of labels.",
)
@click.option(
    "--partial", is_flag=True, help="Each file has a part of the sentences; those with the same tokens are the same."
)
@click.option(
    "--min-probability",
    "least",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Labels that are less probable become unknown. Default: 0.",
)
@reading_options
@click.option("--to", "to_format", type=click.Choice(FORMAT_NAMES), help="Format to write. Default: by the name.")
@click.option("--overwrite", is_flag=True, help="Overwrite the output if it exists.")
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print the summary as JSON.")
def merge_sources(
    files: tuple[str, ...],
    target: Path,
    rule: Rule,
    annotators: str | None,
    partial: bool,
    least: float,
    reading: CorpusOptions,
    to_format: str | None,
    overwrite: bool,
    notes: NotesOnScreen,
    json_output: bool,
) -> None:
    """Merge the labels that several sources gave to one text.

    Sources are annotators, models, dictionaries or language models. How good each is, is estimated from where they
    agree, without gold labels. The output keeps the labels of each source, the merged ones and their probabilities,
    which "trustag train" learns from.

    \b
    trustag merge anna.conll ben.conll carla.conll -o merged.jsonl
    trustag merge crowd.csv --annotators anna,ben,carla -o merged.jsonl
    trustag merge gpt=a.jsonl dictionary=b.conll rules=c.conll -o merged.jsonl --min-probability 0.6
    """
    conversion = Conversion(format=to_format, overwrite=overwrite)
    with notes:
        labellings = _labellings(files, annotators, reading, notes, partial=partial)
        merged = merge(labellings, rule, least, notes)
        whole = LocatedCorpus(str(target), "merged", {"train": lambda _: iter(merged.sentences)}, is_single_file=True)
        convert(whole, target, conversion, notes)
    to_screen = str(target) == "-"
    if json_output:
        click.echo(as_json({**_as_values(merged, rule), "notes": notes.as_counts()}), err=to_screen)
    else:
        click.echo("\n".join(_summary(merged, rule, target)), err=to_screen)


def _labellings(
    files: Sequence[str], annotators: str | None, reading: CorpusOptions, watch: Watch, *, partial: bool
) -> Labellings:
    if len(files) == 1:
        columns = annotators.split(",") if annotators else None
        every = dataclasses.replace(reading.options, unlabelled=True, annotators=True)
        return from_columns(stream(files[0], dataclasses.replace(reading, options=every), watch), columns, watch)
    if annotators:
        raise InputError(
            "--annotators names columns of one file, but there are several files",
            remedy="give NAME=FILE to name the source of each file",
        )
    named = _named(files)
    return from_files({name: stream(file, reading, watch) for name, file in named.items()}, watch, partial=partial)


def _named(files: Sequence[str]) -> Mapping[str, str]:
    """Return the files by the name of their source: as given, or the name of the file without its endings."""
    named: dict[str, str] = {}
    for file in files:
        name, equals, path = file.partition("=")
        if not equals or exists(file):
            name, path = Path(file).name.split(".")[0], file
        if not name or SOURCE_JOINT in name or name in named:
            found = "stands for two files" if name in named else "is no name of a source"
            raise InputError(f"{name!r} {found}", where=path, remedy="give NAME=FILE with another name, without +")
        named[name] = path
    return named


def _as_values(merged: Merged, rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule,
        "sentences": len(merged.sentences),
        "unknown": merged.unknown,
        "alpha": merged.alpha,
        "pairs": [{"sources": list(pair), "f1": f1} for pair, f1 in merged.pairs.items()],
        "sources": [_source_values(source) for source in merged.sources],
    }


def _source_values(source: SourceSummary) -> dict[str, Any]:
    return {
        "name": source.name,
        "tokens": source.tokens,
        "entities": source.entities,
        "estimated": _quality_values(source.estimated),
        "measured": None if source.measured is None else _quality_values(source.measured),
    }


def _quality_values(quality: Quality) -> dict[str, float]:
    return {"precision": quality.precision, "recall": quality.recall, "f1": quality.f1}


def _summary(merged: Merged, rule: Rule, target: Path) -> Iterator[str]:
    tokens = sum(map(len, merged.sentences))
    entities = sum(len(read_spans(sentence.labels)) for sentence in merged.sentences)
    yield f"{len(merged.sources)} sources -> {target} (by {rule})"
    unknown = f", {merged.unknown:,} labels unknown" if merged.unknown else ""
    yield f"  {len(merged.sentences):,} sentences, {tokens:,} tokens, {entities:,} entities{unknown}"
    if merged.alpha is not None:
        yield f"  agreement: Krippendorff's alpha {merged.alpha:.2f}"
    yield ""
    has_gold = any(source.measured is not None for source in merged.sources)
    heads = ["precision", "recall", "F1"]
    rows = [["source", "labels", "entities", *heads, *(heads if has_gold else ())]]
    for source in sorted(merged.sources, key=lambda source: -source.estimated.f1):
        qualities = [source.estimated, *([source.measured] if source.measured is not None else [])]
        shown = [f"{value:.2f}" for one in qualities for value in (one.precision, one.recall, one.f1)]
        rows.append([source.name, f"{source.tokens:,}", f"{source.entities:,}", *shown])
    yield from aligned(rows, header=True)
    against = "without gold labels, then measured on them" if has_gold else "without gold labels"
    yield f"(precision, recall and F1 of entities: estimated {against})"
    yield ""
    pairs = [[" and ".join(pair), f"{f1:.2f}"] for pair, f1 in sorted(merged.pairs.items(), key=lambda item: item[1])]
    yield from aligned([["two sources", "F1"], *pairs], header=True)
