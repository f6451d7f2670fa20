"""What each engine gains, what travels to a cluster, and what a hundred machines would do: measured, then simulated.

``python -m benchmarks.engines --output results/engines.json`` trains the method on the demo corpus with one and two
workers of each engine, on a Ray cluster of this machine. It measures the bytes that a corpus becomes on its way, and
lays the cells that ``results/scores.json`` has costs for out on many machines. Times of a busy machine say little:
the load is noted beside them.
"""

import argparse
import heapq
import json
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.machine import ROOT, aligned, origin, write_result
from trustag.corpora.demo import demo_corpus
from trustag.data.encoded_corpus import encode
from trustag.engines import Engine
from trustag.engines.choice import read_engine
from trustag.engines.parcels import checksum, pack, pack_files
from trustag.experiments.results import read_results
from trustag.methods.table import load_recipe
from trustag.pipeline import Destination, RunContext, train_in
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.sentences import Corpus

SENTENCES: Final = 600
CHANGES: Final = ("bilstm.random_vectors=true", "training.epochs=6", "method.rounds.fold_epochs=6")
MACHINES: Final = (1, 2, 10, 100)
STORE: Final = 100_000_000


def trained(engine: Engine, corpus: Corpus, folder: Path) -> float:
    """Return the seconds that a run takes."""
    recipe = load_recipe("fast", CHANGES, "confidence")
    begin = time.perf_counter()
    train_in(corpus, recipe, Destination(folder), RunContext(engine))
    return time.perf_counter() - begin


def speed_ups(corpus: Corpus, repeats: int) -> list[dict[str, Any]]:
    """Return what one and two workers of each engine take, in turns, the best of some tries."""
    import ray  # noqa: PLC0415

    times: dict[tuple[str, int], list[float]] = {}
    for _ in range(repeats):
        for kind in ("local", "ray"):
            for workers in (1, 2):
                if kind == "ray":
                    ray.init(
                        num_cpus=workers, object_store_memory=STORE, include_dashboard=False, log_to_driver=False,
                        _node_ip_address="127.0.0.1",
                    )  # fmt: skip
                choice = read_engine(f"local:{workers}" if kind == "local" else "ray")
                with tempfile.TemporaryDirectory() as folder, choice.open() as engine:
                    times.setdefault((kind, workers), []).append(trained(engine, corpus, Path(folder) / "run"))
                if kind == "ray":
                    ray.shutdown()
    return [
        {
            "engine": kind,
            "workers": workers,
            "seconds": round(min(found), 1),
            "all_seconds": [round(s, 1) for s in found],
        }
        for (kind, workers), found in times.items()
    ]


def transport(corpus: Corpus) -> dict[str, float]:
    """Return how many bytes a token of a corpus is on its way, from the difference of a half and the whole."""
    sizes = []
    for share in (2, 1):
        sentences = corpus.train[: len(corpus.train) // share]
        encoded = encode(sentences, LabelSet.of(entity_types(label for one in sentences for label in one.labels)))
        pieces: dict[str, int] = {}

        def take(content: bytes, pieces: dict[str, int] = pieces) -> str:
            pieces[checksum(content)] = len(content)
            return checksum(content)

        message = pack((encoded, sentences), take, partial(pack_files, take=take))
        sizes.append((sum(len(one.tokens) for one in sentences), len(message) + sum(pieces.values())))
    (half, half_bytes), (whole, whole_bytes) = sizes
    return {
        "tokens": whole,
        "bytes": whole_bytes,
        "bytes_a_token": round((whole_bytes - half_bytes) / (whole - half), 1),
    }


def makespan(seconds: Sequence[float], machines: int) -> float:
    """Return how long tasks take in all, the longest first, each on the machine that is free first."""
    free = [0.0] * machines
    for task in sorted(seconds, reverse=True):
        heapq.heappush(free, heapq.heappop(free) + task)
    return max(free)


def simulated(costs: Mapping[str, float]) -> dict[str, Any]:
    """Return how long the measured cells would take on some numbers of one-core machines."""
    seconds = list(costs.values())
    whole = sum(seconds)
    rows = []
    for machines in MACHINES:
        span = makespan(seconds, machines)
        rows.append({"machines": machines, "hours": round(span / 3600, 2), "speed_up": round(whole / span, 1)})
    return {
        "cells": len(seconds),
        "cpu_hours": round(whole / 3600, 1),
        "longest_hours": round(max(seconds) / 3600, 2),
        "rows": rows,
    }


def main() -> None:
    """Measure, simulate and write the result file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=1)
    arguments = parser.parse_args()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    whole = demo_corpus()
    corpus = Corpus(whole.train[:SENTENCES], whole.dev, ())
    known = read_results(ROOT / "results" / "scores.json")
    costs = {json.dumps(run.cell): run.cpu_seconds for run in known.runs}
    load = os.getloadavg()[0]
    found: dict[str, Any] = {
        **origin(("torch", "ray"), seed=1),
        "sentences": SENTENCES,
        "load_before": round(load, 1),
        "engines": speed_ups(corpus, arguments.repeats),
        "load_after": round(os.getloadavg()[0], 1),
        "transport": transport(whole),
        "simulation": simulated(costs),
    }
    write_result(arguments.output, found)
    print(aligned([[row["engine"], row["workers"], row["seconds"]] for row in found["engines"]]))


if __name__ == "__main__":
    main()
