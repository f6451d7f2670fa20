"""A batch job: what it does, as a value that an unfinished output can be compared with, and doing it."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from trustag._version import __version__
from trustag.batch_tagging.finished_outputs import finish
from trustag.batch_tagging.part_files import resumed
from trustag.batch_tagging.tagged_chunks import SENTENCES, TaggingOptions, tagged_chunks
from trustag.engines import Engine
from trustag.models.model_place import model_folder
from trustag.notes import Note, Watch, unwatched
from trustag.text.sentences import Sentence

Report: TypeAlias = Callable[[int, int | None], None]
"""Receives how many sentences are done, and the line or record of the input that was read last."""


@dataclass(frozen=True, slots=True)
class TaggingJob:
    """Sentences to tag with a model; ``source`` and ``reading`` say where they come from."""

    model: Path
    source: str
    reading: str
    options: TaggingOptions

    def described(self) -> dict[str, object]:
        """Return what the lines depend on: the model by its content, the input by its size and time."""
        path = Path(self.source)
        state = path.stat() if path.exists() else None
        return {
            "trustag": __version__,
            "model": fingerprint(model_folder(self.model)),
            "source": str(path.resolve()) if state else self.source,
            "state": [state.st_size, state.st_mtime_ns] if state else [],
            "reading": self.reading,
            "options": asdict(self.options),
        }


@dataclass(frozen=True, slots=True)
class Running:
    """How a job is done: the engine and its workers, and what receives notes and progress."""

    engine: Engine
    workers: int = 1
    watch: Watch = unwatched
    report: Report | None = None


def fingerprint(folder: Path) -> str:
    """Return a number for the contents of a model folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode())
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def write_lines(
    job: TaggingJob, running: Running, sentences: Iterable[Sentence], target: BinaryIO, written: int = 0
) -> None:
    """Write a line for every sentence but the first ``written``, which have one."""
    followed = _Followed(sentences)
    # A chunk that was interrupted is tagged again as a whole, since sums in other batches are rounded otherwise.
    done = written // SENTENCES * SENTENCES
    remaining = islice(followed, done, None)
    left_out = 0
    for chunk in tagged_chunks(running.engine, running.workers, job.model, remaining, job.options):
        target.write(_without(chunk.lines, written - done))
        done += chunk.count
        left_out += chunk.left_out
        if running.report is not None:
            running.report(done, followed.place)
    if left_out:
        detail = f"{left_out:,} entities below {job.options.min_score:g}"
        running.watch(Note("left out", "less probable than asked for", detail))


def write_resumable(
    job: TaggingJob, running: Running, sentences: Iterable[Sentence], output: Path, *, overwrite: bool
) -> int:
    """Write a file; where a call was interrupted, the next continues after its last whole line.

    Return how many lines there were already.
    """
    with resumed(output, job.described(), overwrite=overwrite) as part:
        write_lines(job, running, sentences, part.stream, part.lines)
    finish(output, overwrite=overwrite)
    return part.lines


class _Followed:
    """Sentences, and the place in the input of the last one that was taken."""

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self._sentences = sentences
        self.place: int | None = None

    def __iter__(self) -> Iterator[Sentence]:
        for sentence in self._sentences:
            self.place = None if sentence.source is None else sentence.source.line
            yield sentence


def _without(lines: bytes, count: int) -> bytes:
    """Return lines without the first ``count``."""
    start = 0
    for _ in range(count):
        found = lines.find(b"\n", start) + 1
        if not found:
            return b""
        start = found
    return lines[start:]
