"""What word vectors that can be fetched by name give a tagger, in four languages.

``python -m benchmarks.vectors --data FOLDER --vectors FOLDER --output results/vectors.json`` fetches the vectors, then
trains on clean labels through the command line, one run at a time on one thread: few epochs of the ``fast`` recipe.
Beside them stand random vectors, and the file of the given folder where it has one. The dev split is scored; the test
split is not read. Runs that the result file holds already are not repeated; every run carries the commit it was made
with.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.machine import aligned, origin, write_result
from benchmarks.systems import Corpus

Found = dict[str, Any]
EPOCHS: Final = 6
RANDOM: Final = "random"
GIVEN: Final = "file"
PIECES: Final = "multilingual-subwords"
USE: Final = "multilingual-use"


class Candidate(NamedTuple):
    """Vectors to start from: fetched ones by name, ``random`` or ``file``; and the width, where not the usual one."""

    vectors: str
    width: int | None = None


class Job(NamedTuple):
    """One training: a language, what it starts from and a seed."""

    language: str
    candidate: Candidate
    seed: int


CORPORA: Final = {
    "English": Corpus("conll03_en", "english"),
    "Spanish": Corpus("conll02_es", "spanish"),
    "German": Corpus("conll03_de", "german"),
    "Dutch": Corpus("conll02_nl", "dutch"),
}
EVERYWHERE: Final = (Candidate(RANDOM), Candidate(GIVEN), Candidate(PIECES, 100), Candidate(PIECES))
CANDIDATES: Final = {
    "English": (
        *EVERYWHERE,
        Candidate("english-subwords"),
        Candidate("english-clusters"),
        Candidate("english-glove"),
        Candidate("english-clusters+english-glove"),
        Candidate(f"english-glove+{PIECES}"),
    ),
    "Spanish": (
        *EVERYWHERE,
        Candidate("spanish-clusters"),
        Candidate(f"spanish-clusters+{PIECES}"),
        Candidate(f"spanish-clusters+{USE}"),
    ),
    "German": (
        *EVERYWHERE,
        Candidate("german-clusters"),
        Candidate(f"german-clusters+{PIECES}"),
        Candidate(f"german-clusters+{USE}"),
    ),
    "Dutch": (*EVERYWHERE, Candidate(USE)),
}


@dataclass(frozen=True, slots=True)
class Trainer:
    """Where the corpora and the files of vectors are, and where fetched vectors are kept."""

    data: Path
    vectors: Path
    cache: Path

    def can(self, job: Job) -> bool:
        """Tell whether everything a job needs is there, apart from what can be fetched."""
        corpus = CORPORA[job.language]
        needed = [self.data / corpus.folder]
        if job.candidate.vectors == GIVEN:
            needed.append(corpus.vectors(self.vectors))
        missing = [path for path in needed if not path.exists()]
        for path in missing:
            print(f"{path} is not there: skipped", file=sys.stderr)
        return not missing

    def train(self, job: Job) -> Found:
        """Return the best epoch, the dev scores and the processor time of one run."""
        width = job.candidate.width
        # A cache for each width: in one cache a name means the same vectors everywhere.
        environment = {**os.environ, "TRUSTAG_CACHE": str(self.cache / str(width or "usual"))}
        chosen = self._chosen(job, environment)
        corpus = str(self.data / CORPORA[job.language].folder)
        with tempfile.TemporaryDirectory() as folder:
            command = ["train", f"{corpus}:train", "--dev", f"{corpus}:dev", "-o", f"{folder}/run", *chosen]
            command += ["--method", "bilstm-crf", "--recipe", "fast", "--workers", "1", "--json", "--quiet"]
            command += ["--set", f"training.epochs={EPOCHS}", "--set", f"training.seed={job.seed}"]
            before = _children_seconds()
            printed = _trustag(command, environment)
        result = json.loads(printed.splitlines()[-1])
        return {
            "language": job.language,
            **job.candidate._asdict(),
            "seed": job.seed,
            "commit": origin()["commit"],
            "best_epoch": result["best_epoch"],
            "dev": result["dev"],
            "cpu_seconds": round(_children_seconds() - before, 1),
        }

    def _chosen(self, job: Job, environment: dict[str, str]) -> list[str]:
        """Return the options that choose the vectors, after fetching them if need be."""
        name, width = job.candidate
        if name == RANDOM:
            return ["--set", "bilstm.random_vectors=true"]
        if name == GIVEN:
            return ["--vectors", str(CORPORA[job.language].vectors(self.vectors))]
        _trustag(["vectors", "get", name, *(["--width", str(width)] if width else [])], environment)
        return ["--vectors", name]


def _trustag(arguments: list[str], environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", "trustag", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def own_runs(runs: list[Found], language: str, candidate: Candidate) -> list[Found]:
    """Return the runs of one candidate in one language."""
    return [run for run in runs if (run["language"], run["vectors"], run["width"]) == (language, *candidate)]


def summary(runs: list[Found]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each language and candidate: mean dev F1 and processor time."""
    yield ("language", "vectors", "width", "seeds", "dev F1", "CPU s")
    for language, candidates in CANDIDATES.items():
        for candidate in candidates:
            own = own_runs(runs, language, candidate)
            if own:
                score, seconds = mean(run["dev"]["f1"] for run in own), mean(run["cpu_seconds"] for run in own)
                figures = (str(len(own)), f"{100 * score:.2f}", f"{seconds:.0f}")
                yield (language, candidate.vectors, str(candidate.width or "usual"), *figures)


def main() -> None:
    """Make every run that is missing and write the result file after each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--vectors", type=Path, required=True, help="a folder of files of vectors")
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    parser.add_argument(
        "--cache", type=Path, default=Path(".benchmarks/vectors"), help="where fetched vectors are kept"
    )
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--languages", nargs="*", default=list(CANDIDATES), choices=CANDIDATES)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"{arguments.data} is not there: skipped")
        return
    trainer = Trainer(arguments.data, arguments.vectors, arguments.cache.absolute())
    runs: list[Found] = []
    if arguments.output.exists():
        known = json.loads(arguments.output.read_text(encoding="utf-8"))
        runs = known["runs"] if known["epochs"] == EPOCHS else []
    done = {Job(run["language"], Candidate(run["vectors"], run["width"]), run["seed"]) for run in runs}
    seeds = range(1, arguments.seeds + 1)
    chosen = [(language, one) for language in arguments.languages for one in CANDIDATES[language]]
    jobs = [Job(language, one, seed) for seed in seeds for language, one in chosen]
    for job in jobs:
        if job not in done and trainer.can(job):
            runs.append(trainer.train(job))
            facts = origin(("torch", "numpy"))
            write_result(arguments.output, {**facts, "recipe": "fast", "epochs": EPOCHS, "runs": runs})
    print(aligned(list(summary(runs))))


if __name__ == "__main__":
    main()
