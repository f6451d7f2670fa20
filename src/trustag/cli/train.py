"""``trustag train``: a run from a labelled corpus."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from trustag.cli.engine_option import chosen_engine, engine_option
from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.progress import TrainingProgress
from trustag.cli.reading_options import reading_options
from trustag.cli.summary import in_words
from trustag.corpora.locating import CorpusOptions, read_corpus, stream
from trustag.corpora.trainable import types_to_learn
from trustag.engines.choice import EngineChoice
from trustag.errors import InputError, TrustagError
from trustag.labelling.labelled_texts import labelled_texts
from trustag.methods.table import METHODS
from trustag.notes import Watch
from trustag.reports.run_report import write_report
from trustag.runs.finishing import FinishedRunError
from trustag.runs.folder import refuse_existing
from trustag.runs.writer_lock import only_writer
from trustag.text.sentences import Corpus


@click.command()
@click.argument("train_corpora", metavar="TRAIN...", nargs=-1, required=True)
@click.option(
    "--label-with",
    metavar="CONFIG.toml",
    type=click.Path(path_type=Path),
    help="Label TRAIN first, texts or corpora, by lists, rules or a knowledge base, as trustag label --config does.",
)
@click.option(
    "--dev",
    "dev_corpus",
    metavar="CORPUS",
    help="Selects the best epoch and round. Optional. Default: TRAIN's dev split, if any.",
)
@click.option(
    "--test", "test_corpus", metavar="CORPUS", help="Scored once at the end. Default: TRAIN's test split, if any."
)
@click.option(
    "--trusted",
    "trusted_corpus",
    metavar="CORPUS",
    help="Sentences whose labels are right: from 50 on they correct systematic errors. Not used for scores.",
)
@click.option(
    "--noisy",
    "noisy_corpus",
    metavar="CORPUS",
    help="Sentences of --dev or --trusted with labels from the source of TRAIN's: noise rates are counted on them.",
)
@click.option("--dev-as-trusted", is_flag=True, help="Learn from dev too; its F1 stays that of models that did not.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder of the run.")
@click.option(
    "--method",
    metavar="NAME",
    help=f"One of {', '.join(METHODS)}, or your own as package.module:NAME. Default: the recipe's (confidence).",
)
@click.option(
    "--recipe",
    metavar="NAME",
    help="A shipped recipe (trustag recipes) or a TOML file. Default: the one named like the method, or fast.",
)
@click.option("--set", "changes", multiple=True, metavar="SECTION.KEY=VALUE", help="Change one setting; repeatable.")
@click.option(
    "--vectors",
    help="Word vectors: a GloVe, word2vec or fastText text file, or a name (trustag vectors list); or several: A+B.",
)
@click.option(
    "--context",
    metavar="NAME",
    help="Add frozen embeddings of a transformer: a name (trustag vectors list), or the folder of an encoder.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="Trainings run in parallel, one thread each. Default: one per core."
)
@engine_option
@click.option("--resume", is_flag=True, help="Continue the run in the output folder where it was interrupted.")
@click.option("--overwrite", is_flag=True, help="Start anew even if the output folder holds a run.")
@click.option("--keep-jobs", is_flag=True, help="Keep every training that the run consists of, for research.")
@reading_options
@notes_option
@click.option("--json", "json_output", is_flag=True, help="Print epochs and result as JSON lines.")
def train(
    train_corpora: tuple[str, ...],
    label_with: Path | None,
    dev_corpus: str | None,
    test_corpus: str | None,
    trusted_corpus: str | None,
    noisy_corpus: str | None,
    dev_as_trusted: bool,
    output: Path,
    method: str | None,
    recipe: str | None,
    changes: tuple[str, ...],
    vectors: str | None,
    context: str | None,
    workers: int | None,
    engine: EngineChoice | None,
    resume: bool,
    overwrite: bool,
    keep_jobs: bool,
    reading: CorpusOptions,
    notes: NotesOnScreen,
    json_output: bool,
) -> None:
    """Train a tagger on TRAIN, whose labels need not all be right, and say which of them look wrong.

    The run folder contains the model, a report (report.html), the labels that look wrong (issues.jsonl), the relabelled
    corpus (relabelled.conll), every change (changes.jsonl), the confidence in each label
    (confidence.npz), the noise rates, metrics, the resolved recipe and a manifest.

    A run that was interrupted, even by a power cut, continues with --resume and ends as if nothing had happened.

    \b
    trustag train train.conll --dev dev.conll --test test.conll -o run --vectors glove.100d.txt.gz
    trustag train articles.txt --label-with label.toml -o run --vectors english-glove
    trustag train demo -o run --set bilstm.random_vectors=true --set training.epochs=4
    """
    opened = chosen_engine(engine, workers)
    if not resume and not overwrite:
        refuse_existing(output)
    progress = TrainingProgress(quiet=notes.quiet, json_lines=json_output)
    with only_writer(output, "trustag train") as lock:
        try:
            with notes, progress:
                whole = _whole(train_corpora, label_with, reading, notes)
                corpus = _corpus(whole, dev_corpus, test_corpus, reading, notes)
                corpus = _with_more(corpus, trusted_corpus, noisy_corpus, reading, notes)
                from trustag.methods.table import load_recipe  # noqa: PLC0415 - torch takes a second to load
                from trustag.pipeline import Destination, RunContext, train_in  # noqa: PLC0415

                sources = {"bilstm.vectors": vectors, "bilstm.context": context}
                named = [f"{name}='{value}'" for name, value in sources.items() if value]
                learning = ["method.rounds.dev_as_trusted=true"] if dev_as_trusted else []
                settings = load_recipe(recipe, [*changes, *named, *learning], method)
                destination = Destination(output, resume, overwrite, lock, keep_jobs)
                with opened.open() as running:
                    trained = train_in(corpus, settings, destination, RunContext(running, notes, progress))
        except FinishedRunError as error:
            _write_report(output)
            click.echo(f"trustag: {error}", err=True)
            return
        except KeyboardInterrupt:
            click.echo(f"trustag: interrupted; continue with the same command and --resume ({output})", err=True)
            sys.exit(130)
        progress.close()
        _write_report(output, trained.contents())
    if json_output:
        click.echo(json.dumps(trained.summary()))
    else:
        click.echo("\n".join(in_words(trained, settings)))


def _write_report(run: Path, known: Mapping[str, object] | None = None) -> None:
    """Write the report of the run; the run itself is complete, so a report that fails is no more than a message."""
    try:
        write_report(run, overwrite=True, known=known)
    except TrustagError as error:
        click.echo(f"trustag: no report was written: {error}", err=True)


def _whole(names: tuple[str, ...], label_with: Path | None, reading: CorpusOptions, watch: Watch) -> Corpus:
    """Return the corpus to train on, whose labels are checked; texts are labelled first if a configuration says how."""
    where = " ".join(names)
    if label_with is not None:
        whole = Corpus(tuple(labelled_texts(names, label_with, reading, watch)))
    elif len(names) > 1:
        raise click.UsageError("give one corpus to train on; several texts need --label-with")
    else:
        whole = read_corpus(where, reading, watch)
    if not whole.train:
        raise InputError("holds no train split", where=where, remedy="name a file with sentences to train on")
    types_to_learn(whole.train, where=where)
    return whole


def _corpus(whole: Corpus, dev: str | None, test: str | None, reading: CorpusOptions, watch: Watch) -> Corpus:
    return Corpus(
        whole.train,
        tuple(stream(dev, reading, watch)) if dev else whole.dev,
        tuple(stream(test, reading, watch)) if test else whole.test,
    )


def _with_more(corpus: Corpus, trusted: str | None, noisy: str | None, reading: CorpusOptions, watch: Watch) -> Corpus:
    """Return the corpus with trusted sentences, and with sentences once more with their noisy labels."""
    more = {"trusted": trusted, "noisy": noisy}
    found = {name: tuple(stream(path, reading, watch)) for name, path in more.items() if path is not None}
    for name, sentences in found.items():
        if not sentences:
            remedy = f"leave out --{name}, or name a file with labels"
            raise InputError("holds no sentence", where=more[name], remedy=remedy)
    return replace(corpus, **found)
