"""What the plain tagger reaches on clean labels, with the ``fast`` recipe and several seeds.

``python -m benchmarks.gold --data FOLDER --vectors FOLDER --output results/gold.json`` trains through the command line,
two runs at a time, one thread each. The dev split chooses the epoch; the test split is read once, at the end. Runs that
the result file already holds for this commit are not repeated.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Final, NamedTuple

from benchmarks.machine import aligned, origin, write_result

LANGUAGES: Final = {"conll03_en": "english", "conll02_es": "spanish", "conll03_de": "german", "conll02_nl": "dutch"}
PAPER: Final = {"conll03_en": 90.3, "conll02_es": 85.2, "conll03_de": 77.3, "conll02_nl": 81.1}


class Job(NamedTuple):
    """One training: a corpus and a seed."""

    corpus: str
    seed: int


def train(job: Job, data: Path, vectors: Path) -> dict[str, Any]:
    """Return the best epoch and the dev and test scores of one run."""
    file = vectors / f"{LANGUAGES[job.corpus]}_100d.txt.gz"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "trustag", "train", str(data / job.corpus), "-o", f"{folder}/run"]
        command += ["--vectors", str(file), "--set", f"training.seed={job.seed}", "--json", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {**job._asdict(), **result}


def summary(runs: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each corpus: mean and spread of test F1 beside the paper's upper bound."""
    yield ("corpus", "seeds", "dev F1", "test F1", "spread", "paper")
    for corpus, paper in PAPER.items():
        own = [run for run in runs if run["corpus"] == corpus]
        if own:
            dev, test = ([100 * run[split]["f1"] for run in own] for split in ("dev", "test"))
            spread = f"{stdev(test):.2f}" if len(test) > 1 else "-"
            yield (corpus, str(len(own)), f"{mean(dev):.2f}", f"{mean(test):.2f}", spread, f"{paper:.1f}")


def main() -> None:
    """Train every corpus with every seed and write the result file after each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vectors", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"{arguments.data} is not there: skipped")
        return
    facts = origin(("torch", "numpy"), arguments.seeds)
    runs: list[dict[str, Any]] = []
    if arguments.output.exists():
        known = json.loads(arguments.output.read_text(encoding="utf-8"))
        runs = known["runs"] if known["commit"] == facts["commit"] else []
    done = {Job(run["corpus"], run["seed"]) for run in runs}
    jobs = [Job(corpus, seed) for seed in range(1, arguments.seeds + 1) for corpus in LANGUAGES]
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(train, job, arguments.data, arguments.vectors) for job in jobs if job not in done]
        for finished in as_completed(waiting):
            runs.append(finished.result())
            write_result(arguments.output, {**facts, "recipe": "fast", "runs": runs})
    print(aligned(list(summary(runs))))


if __name__ == "__main__":
    main()
