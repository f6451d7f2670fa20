"""Records of predictions, written by any engine, with progress, and continued where they were interrupted."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

from trustag.batch_tagging.finished_outputs import write_table
from trustag.batch_tagging.meter import Meter, places_in
from trustag.batch_tagging.part_files import lines_so_far
from trustag.batch_tagging.tagged_chunks import TaggingOptions, loaded_model
from trustag.batch_tagging.tagging_job import Report, Running, TaggingJob, write_lines, write_resumable
from trustag.cli.notes_on_screen import NotesOnScreen
from trustag.cli.progress_bar import ProgressBar, as_time
from trustag.corpora.locating import CorpusOptions
from trustag.corpora.texts import texts
from trustag.engines.choice import EngineChoice
from trustag.files.inputs import STANDARD_STREAM
from trustag.files.outputs import new_file
from trustag.files.raw_texts import TOKENIZER
from trustag.notes import Note, Watch

_HERE = EngineChoice("local", 1)
_MANY_WORKERS = 8  # of a cluster, whose size may change


@dataclass(frozen=True, slots=True)
class RecordsOutput:
    """Where records go: a file or standard output, as lines or as a table, new, continued or replaced."""

    path: Path
    is_table: bool
    resume: bool
    overwrite: bool

    def check(self, options: TaggingOptions) -> None:
        """Refuse what does not go together."""
        is_stream = self.path == STANDARD_STREAM
        if is_stream and (self.resume or self.is_table):
            raise click.UsageError("a table, or an output to --resume, needs a file: give -o FILE")
        if self.is_table and options.marginals:
            raise click.UsageError("--marginals are written as jsonl, not as a table")
        if self.is_table != (self.path.suffix.lower() == ".parquet"):
            raise click.UsageError("a table is written to a file named .parquet, and nothing else is")


def write_records(
    job: TaggingJob,
    reading: CorpusOptions,
    output: RecordsOutput,
    engine: EngineChoice | None,
    notes: NotesOnScreen,
) -> None:
    """Tag the texts of a job and write their records."""
    output.check(job.options)
    choice = engine or _HERE
    workers = choice.workers if choice.kind == "local" else _MANY_WORKERS
    if choice == _HERE:
        loaded_model(job.model)  # before any output is begun
    bar = ProgressBar(is_wanted=True)
    before = lines_so_far(output.path) if output.resume else 0
    report = _shown(bar, job.source, before) if bar.is_shown else None
    sentences = texts(job.source, reading, watch_reading(job.model, notes))
    try:
        with choice.open() as opened:
            running = Running(opened, workers, notes, report)
            if output.resume:
                write_resumable(job, running, sentences, output.path, overwrite=output.overwrite)
            elif output.is_table:
                with tempfile.TemporaryFile() as lines, new_file(output.path, overwrite=output.overwrite) as target:
                    write_lines(job, running, sentences, lines)
                    lines.seek(0)
                    write_table(lines, target)
            else:
                with new_file(output.path, overwrite=output.overwrite) as target:
                    write_lines(job, running, sentences, target)
    finally:
        bar.clear()


def _shown(bar: ProgressBar, source: str, before: int) -> Report:
    meter = Meter(places_in(source), before)

    def report(done: int, place: int | None) -> None:
        now = meter(done, place)
        left = "" if now.left is None else f", about {as_time(now.left)} left"
        bar.draw(now.share, f"{now.done:,} texts, {now.rate:,.0f} a second{left}")

    return report


def watch_reading(model: Path, notes: NotesOnScreen) -> Watch:
    """Return what receives the notes on reading; texts split otherwise than the training texts are reported too."""

    def watch(note: Note) -> None:
        notes(note)
        if note.reason == TOKENIZER and loaded_model(model).expects_words:
            detail = "the model was trained on words: choose the tokenizer of the training texts with --tokenizer"
            notes(Note("suspicious", "characters for a model of words", detail, note.source))

    return watch
