"""Measure batch jobs: one process beside two workers in turn, processor time for each, and memory by number of texts.

``python -m benchmarks.batch --model run --output results/batch.json``
"""

import argparse
import io
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import torch

from benchmarks.machine import ROOT, origin, write_result
from trustag.batch_tagging.tagged_chunks import SENTENCES, TaggingOptions, loaded_model
from trustag.batch_tagging.tagging_job import Running, TaggingJob, write_lines
from trustag.corpora.locating import stream
from trustag.engines.choice import EngineChoice
from trustag.text.sentences import Sentence

_ROUNDS: Final = 3
_CHUNKS: Final = 30
_MEMORY: Final = """
import resource, sys, trustag
from trustag.corpora.locating import stream
texts = [sentence.text for sentence in stream("demo:train")]
model = trustag.load(sys.argv[1])
count = sum(1 for _ in model.pipe(texts[number % len(texts)] for number in range(int(sys.argv[2]))))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "batch.json")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--texts", type=int, nargs="*", default=[10_000, 100_000], help="of which memory is measured")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    sentences = list(stream("demo:train"))
    rounds = [
        {f"{workers} workers": _rate(arguments.model, sentences, workers) for workers in (1, 2)} for _ in range(_ROUNDS)
    ]
    found = {
        **origin(("torch",), seed=0),
        "sentences": _CHUNKS * SENTENCES,
        "rounds": rounds,
        "speed_up": round(_mean(rounds, 2, "per_second") / _mean(rounds, 1, "per_second"), 2),
        # With two cores to itself a job takes at least half of all its processor time.
        "speed_up_by_processor_time": round(
            2 * _mean(rounds, 1, "processor_seconds") / _mean(rounds, 2, "processor_seconds"), 2
        ),
        "megabytes": {str(count): _megabytes(arguments.model, count) for count in arguments.texts},
    }
    write_result(arguments.output, found)


def _mean(rounds: list[dict[str, dict[str, float]]], workers: int, name: str) -> float:
    return sum(one[f"{workers} workers"][name] for one in rounds) / len(rounds)


def _rate(model: Path, sentences: list[Sentence], workers: int) -> dict[str, float]:
    """Return how fast sentences are tagged once every worker has its model, and the processor time of all of it."""
    whole = (sentences[number % len(sentences)] for number in range(_CHUNKS * SENTENCES))
    warm = 2 * SENTENCES if workers == 1 else 6 * SENTENCES
    times: dict[int, tuple[float, float]] = {}
    if workers == 1:
        loaded_model(model)

    def report(done: int, place: int | None) -> None:  # noqa: ARG001 - the place does not matter
        times[done] = (time.perf_counter(), _processor_seconds())

    with EngineChoice("local", workers).open() as engine:
        job = TaggingJob(model, "demo:train", "", TaggingOptions())
        write_lines(job, Running(engine, workers, report=report), whole, io.BytesIO())
    (began, used), (ended, used_by_then) = times[warm], times[_CHUNKS * SENTENCES]
    count = _CHUNKS * SENTENCES - warm
    return {
        "per_second": round(count / (ended - began), 1),
        "processor_seconds": round((used_by_then - used) / count * 1e6, 2),
    }


def _processor_seconds() -> float:
    """Return the processor time of this process and of its running children."""
    own = time.process_time()
    return own + sum(_of_process(child) for child in _children())


def _children() -> Iterator[int]:
    for path in Path("/proc/self/task").glob("*/children"):
        yield from map(int, path.read_text(encoding="utf-8").split())


def _of_process(number: int) -> float:
    try:
        fields = Path(f"/proc/{number}/schedstat").read_text(encoding="utf-8").split()
    except OSError:
        return 0.0
    return int(fields[0]) / 1e9


def _megabytes(model: Path, count: int) -> int:
    """Return the most memory of a process that reads so many texts through ``pipe``."""
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY, str(model), str(count)], capture_output=True, text=True, check=True
    )
    read, megabytes = map(int, done.stdout.split())
    assert read == count
    return megabytes


if __name__ == "__main__":
    main()
