"""What word vectors that can be fetched by name give a tagger, in four languages.

``python -m benchmarks.vectors --data FOLDER --vectors FOLDER --output results/vectors.json`` fetches the vectors, then
trains on clean labels through the command line, one run at a time on one thread: few epochs of the ``fast`` recipe.
Beside them stand random vectors, and those of the given folder where it has any. Only the dev split is scored; the test
split is not read. Runs that the result file already holds for this commit are not repeated.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.gold import LANGUAGES
from benchmarks.machine import aligned, origin, write_result

EPOCHS: Final = 6
RANDOM: Final = "random"
GIVEN: Final = "file"
PIECES: Final = "multilingual-subwords"


class Candidate(NamedTuple):
    """Vectors to start from: names with a plus between them, ``random`` or ``file``; and their width if reduced."""

    vectors: str
    width: int | None = None


class Job(NamedTuple):
    """One training: a corpus, what it starts from and a seed."""

    corpus: str
    candidate: Candidate
    seed: int


EVERYWHERE: Final = (Candidate(RANDOM), Candidate(GIVEN), Candidate(PIECES, 100), Candidate(PIECES, 256))
CANDIDATES: Final = {
    "conll03_en": (
        *EVERYWHERE,
        Candidate("english-subwords"),
        Candidate("english-clusters"),
        Candidate("english-glove"),
        Candidate("english-glove+english-clusters"),
    ),
    "conll02_es": (*EVERYWHERE, Candidate("spanish-clusters"), Candidate(f"spanish-clusters+{PIECES}")),
    "conll03_de": (*EVERYWHERE, Candidate("german-clusters"), Candidate(f"german-clusters+{PIECES}")),
    "conll02_nl": EVERYWHERE,
}


class Trainer(NamedTuple):
    """Where the corpora and the vectors of one's own are, and where fetched vectors are kept."""

    data: Path
    vectors: Path
    cache: Path

    def own_file(self, corpus: str) -> Path:
        """Return the file of vectors for the language of a corpus."""
        return self.vectors / f"{LANGUAGES[corpus]}_100d.txt.gz"

    def can(self, job: Job) -> bool:
        """Tell whether everything a job needs is there, apart from what can be fetched."""
        missing = [self.data / job.corpus] + [self.own_file(job.corpus)] * (job.candidate.vectors == GIVEN)
        missing = [needed for needed in missing if not needed.exists()]
        for needed in missing:
            print(f"{needed} is not there: skipped", file=sys.stderr)
        return not missing

    def train(self, job: Job) -> dict[str, Any]:
        """Return the best epoch, the dev scores and the processor time of one run."""
        name, width = job.candidate
        # One cache for each width: a name means the same vectors everywhere in a cache.
        environment = {**os.environ, "TRUSTAG_CACHE": str(self.cache / str(width or "usual"))}
        if name == RANDOM:
            chosen = ["--set", "bilstm.random_vectors=true"]
        elif name == GIVEN:
            chosen = ["--vectors", str(self.own_file(job.corpus))]
        else:
            chosen = ["--vectors", name]
            _trustag("vectors", "get", name, *(["--width", str(width)] if width else []), environment=environment)
        corpus = str(self.data / job.corpus)
        with tempfile.TemporaryDirectory() as folder:
            command = ["train", f"{corpus}:train", "--dev", f"{corpus}:dev", "-o", f"{folder}/run", *chosen]
            command += ["--method", "bilstm-crf", "--recipe", "fast", "--workers", "1", "--json", "--quiet"]
            settings = {"training.epochs": EPOCHS, "training.seed": job.seed}
            command += [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
            before = _children_seconds()
            printed = _trustag(*command, environment=environment)
        result = json.loads(printed.splitlines()[-1])
        seconds = round(_children_seconds() - before, 1)
        scores = {"best_epoch": result["best_epoch"], "dev": result["dev"], "cpu_seconds": seconds}
        return {"corpus": job.corpus, **job.candidate._asdict(), "seed": job.seed, **scores}


def _trustag(*arguments: str, environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", "trustag", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def summary(runs: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each corpus and candidate: mean dev F1 and processor time."""
    yield ("corpus", "vectors", "width", "seeds", "dev F1", "cpu s")
    for corpus, candidates in CANDIDATES.items():
        for name, width in candidates:
            own = [run for run in runs if (run["corpus"], run["vectors"], run["width"]) == (corpus, name, width)]
            if own:
                score, seconds = mean(run["dev"]["f1"] for run in own), mean(run["cpu_seconds"] for run in own)
                yield (corpus, name, str(width or "-"), str(len(own)), f"{100 * score:.2f}", f"{seconds:.0f}")


def main() -> None:
    """Train every corpus with every candidate and seed and write the result file after each run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--vectors", type=Path, required=True, help="a folder of vectors of one's own")
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    parser.add_argument(
        "--cache", type=Path, default=Path(".benchmarks/vectors"), help="where fetched vectors are kept"
    )
    parser.add_argument("--seeds", type=int, default=2)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"{arguments.data} is not there: skipped")
        return
    trainer = Trainer(arguments.data, arguments.vectors, arguments.cache.absolute())
    facts = {**origin(("torch", "numpy"), arguments.seeds), "recipe": "fast", "epochs": EPOCHS}
    runs: list[dict[str, Any]] = []
    if arguments.output.exists():
        known = json.loads(arguments.output.read_text(encoding="utf-8"))
        runs = known["runs"] if known["commit"] == facts["commit"] else []
    done = {Job(run["corpus"], Candidate(run["vectors"], run["width"]), run["seed"]) for run in runs}
    seeds = range(1, arguments.seeds + 1)
    jobs = [Job(corpus, one, seed) for seed in seeds for corpus, every in CANDIDATES.items() for one in every]
    for job in jobs:
        if job not in done and trainer.can(job):
            runs.append(trainer.train(job))
            write_result(arguments.output, {**facts, "runs": runs})
    print(aligned(list(summary(runs))))


if __name__ == "__main__":
    main()
