"""``trustag advise``: what more reviewed sentences would bring, and which to review first."""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from trustag.cli.notes_on_screen import NotesOnScreen, notes_option
from trustag.cli.output import aligned
from trustag.cli.progress import TrainingProgress
from trustag.cli.reading_options import reading_options
from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import printable
from trustag.issues.listing import Issues
from trustag.issues.sentences_to_review import sentences_to_review
from trustag.runs.issue_files import issues_of_run

if TYPE_CHECKING:
    from trustag.experiments.learning_curves import LearningCurves

_STEPS: Final = (50, 100, 250, 500)
_HUNDREDS: Final = 1000
_WIDEST: Final = 90


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--dev", "dev_corpus", metavar="CORPUS", help="Sentences with right labels to measure on, 40 or more.")
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="Sentences to review first.")
@click.option("--workers", type=click.IntRange(min=1), help="Trainings run in parallel. Default: one per core.")
@click.option("--json", "json_output", is_flag=True, help="Print the figures as JSON.")
@reading_options
@notes_option
def advise(
    run: Path,
    dev_corpus: str | None,
    top: int,
    workers: int | None,
    json_output: bool,
    reading: CorpusOptions,
    notes: NotesOnScreen,
) -> None:
    """Say what reviewing more sentences of RUN would bring, beside more noisy ones, and which to review first.

    With --dev, learning curves are measured: half of these sentences teach the model of the run, the other half scores
    it; models of a quarter, half and all of the noisy corpus show what noisy labels bring. This takes about as long as
    two trainings on the whole corpus. Without --dev, only the sentences are listed.

    \b
    trustag advise run --dev dev.conll
    """
    found = issues_of_run(run)
    curves = None if dev_corpus is None else _measured(run, dev_corpus, workers, reading, notes)
    chosen = sentences_to_review(found.issues, found.sentences, top)
    if json_output:
        first = [{"sentence": one.sentence, "issues": len(one.issues), "worth": one.worth} for one in chosen]
        click.echo(json.dumps({"curves": None if curves is None else curves.summary(), "review_first": first}))
        return
    if curves is not None:
        click.echo("\n".join(curve_lines(curves)))
    click.echo("\n".join(_sentence_lines(found, top)))


def _measured(
    run: Path, dev_corpus: str, workers: int | None, reading: CorpusOptions, notes: NotesOnScreen
) -> "LearningCurves":
    """Train the models of both curves in a temporary folder."""
    from trustag.engines.worker_processes import WorkerProcesses  # noqa: PLC0415 - torch takes a second to load
    from trustag.experiments.learning_curves import curve_stages, learning_curves, task_of_run  # noqa: PLC0415
    from trustag.runs.folder import RunFolder  # noqa: PLC0415
    from trustag.training.jobs import JobRunner  # noqa: PLC0415
    from trustag.training.stages import Plan  # noqa: PLC0415

    progress = TrainingProgress(quiet=notes.quiet, json_lines=False)
    with tempfile.TemporaryDirectory(prefix="trustag-") as place, notes, progress:
        task = task_of_run(run, tuple(stream(dev_corpus, reading, notes)), notes)
        with WorkerProcesses(workers or os.cpu_count() or 1) as engine:
            jobs = JobRunner(Path(place), engine, notes, progress, Plan(curve_stages(task)))
            return learning_curves(task, jobs, RunFolder(run).best)


def curve_lines(curves: "LearningCurves") -> Iterator[str]:
    """Yield both curves as measured, and what they say of more sentences."""
    yield click.style(f"Measured on {curves.scored:,} clean sentences (entity F1, in percent)", bold=True)
    named = {"  noisy sentences": curves.noisy, "  all noisy and reviewed": curves.reviewed}
    for name, points in named.items():
        yield f"{name:<26}" + "   ".join(f"{point.sentences:,}: {100 * point.f1:.1f}" for point in points)
    yield click.style("\nWhat more sentences would bring", bold=True)
    rows = []
    for more in _STEPS:
        as_many = curves.worth_in_noisy(more)
        noisy = "more than any number of noisy ones" if as_many is None else f"as {as_many:,} more noisy ones"
        rows.append((f"  {more} reviewed", f"{100 * curves.reviewed_gain(more):+.1f}", noisy))
    rows.append((f"  {_HUNDREDS:,} more noisy", f"{100 * curves.noisy_gain(_HUNDREDS):+.1f}", ""))
    yield from aligned(rows)
    yield "  (drawn on from few points: a guide, no promise)"


def _sentence_lines(found: Issues, top: int) -> Iterator[str]:
    yield click.style("\nReview these sentences first (trustag review opens them)", bold=True)
    for one in sentences_to_review(found.issues, found.sentences, top):
        sentence = found.sentences[one.sentence]
        text = printable(" ".join(sentence.tokens))
        shown = text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."
        doubts = f"{len(one.issues)} in doubt"
        yield f"  {sentence.place_of(0) or one.sentence + 1}  {doubts}  {shown}"
