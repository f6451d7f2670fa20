"""What the method, its variants and its rivals reach on real corpora, with several seeds.

``python -m benchmarks.scores --data FOLDER --vectors FOLDER --output results/scores.json`` trains through the command
line, two runs at a time, one thread each. The dev split chooses, the test split is read once, at the end of a run. A
run that the result file holds already is not repeated unless its settings have changed, so the table can be made in
several sittings; every run carries the commit it was made with. ``--systems`` and ``--corpora`` choose parts of it,
also ablations and levels of noise, which are left out otherwise; ``--keep FOLDER`` keeps the run folders, for
benchmarks that look at them again.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Final, NamedTuple

from benchmarks.machine import aligned, origin, write_result
from benchmarks.minilm import minilm
from benchmarks.systems import CORPORA, DRAW, EVERY_SYSTEM, LEVELS, PRECISION, SYSTEMS, Corpus
from trustag.corpora.locating import stream
from trustag.noise.measures import measure_noise
from trustag.recipes.loading import load_recipe
from trustag.recipes.methods import METHODS
from trustag.text.schemes import Scheme

Found = dict[str, Any]
AT_ONCE: Final = 2
FIRST: Final = 1


class Job(NamedTuple):
    """One training: a corpus, a system and a seed, by name."""

    corpus: str
    system: str
    seed: int


@dataclass(frozen=True, slots=True)
class Places:
    """Where corpora and vectors are, and where prepared training files go."""

    data: Path
    vectors: Path
    scratch: Path


def run_of(job: Job, places: Places, further: Sequence[str] = ()) -> Found:
    """Train once, with ``further`` settings; returns scores, rates, how well wrong labels were found, and time."""
    corpus, system = (CORPORA | LEVELS)[job.corpus], EVERY_SYSTEM[job.system]
    folder, place = places.data / corpus.folder, places.scratch / f"{job.corpus}-{job.system}-{job.seed}"
    train = _train_file(job, corpus, places)
    command = ["train", str(train), "-o", str(place), "--overwrite"]
    command += ["--dev", str(folder / "dev.txt"), "--test", str(folder / "test.txt")]
    vectors = corpus.advised_vectors if system.fetched else str(corpus.vectors(places.vectors))
    command += ["--vectors", vectors, "--recipe", system.recipe]
    if system.context:
        command += ["--context", str(minilm())]
    command += ["--method", system.method, "--workers", "1", "--json", "--quiet"]
    for setting in (*system.settings, *further, f"training.seed={job.seed}"):
        command += ["--set", setting]
    printed, seconds = measured(command)
    result = json.loads(printed.splitlines()[-1])
    labels = result.get("labels") or {}
    return {
        **job._asdict(),
        "settings": settings_of(job.system),
        "commit": origin()["commit"],
        "cpu_seconds": round(seconds, 1),
        "best_epoch": result["best_epoch"],
        "dev": result["dev"],
        "test": result["test"],
        **{name: labels[name] for name in ("rates", "changed", "labels", "detection") if name in labels},
    }


def as_searched(job: Job, runs: Sequence[Found]) -> list[str]:
    """Return the settings that give a run the noise rates which the first seed of its corpus and system has found."""
    first = next(run for run in runs if Job(run["corpus"], run["system"], run["seed"]) == job._replace(seed=FIRST))
    rates = [f"rates.{group}={first['rates'][group]}" for group in ("negative", "positive")]
    return ["rates.source=given", *rates]


def settings_of(system: str) -> str:
    """Return a checksum of every setting that a system uses, so that a changed recipe shows.

    Settings at their default do not count, so that a new one that changes nothing by default repeats no run.
    """
    chosen = EVERY_SYSTEM[system]
    recipe = load_recipe(chosen.recipe, [*METHODS[chosen.method], *chosen.settings])
    unused = {"confidence", "rates", "rounds"} if recipe.rounds.count == 0 else set()
    values = recipe.model_dump(exclude=unused, exclude_defaults=True)
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:12]


def noise_of(train: Path) -> Found:
    """Return how noisy training labels are: entities against gold, and the true noise rates of the tokens."""
    measured = measure_noise(stream(str(train)), Scheme.IOBES)
    entities = measured.entities
    return {
        "precision": entities.precision,
        "recall": entities.recall,
        "negative": measured.tau_n,
        "positive": measured.tau_p,
    }


def _train_file(job: Job, corpus: Corpus, places: Places) -> Path:
    """Return the labels to train on: the folder's own, perturbed ones, or the gold ones alone."""
    source = places.data / corpus.folder / "train.txt"
    has_gold = len(source.read_text(encoding="utf-8").split("\n", 1)[0].split()) > 2
    if EVERY_SYSTEM[job.system].on_gold:
        target = places.scratch / f"{corpus.folder}-gold.conll"
        if has_gold and not target.exists():
            trustag("convert", str(source), str(target), "--columns", "token,_,label", "--quiet")
        return target if has_gold else source
    if corpus.recall is None:
        return source
    target = places.scratch / f"{corpus.folder}-{corpus.recall}.conll"
    if not target.exists():
        noise = ["--recall", str(corpus.recall), "--precision", str(PRECISION), "--seed", str(DRAW)]
        trustag("perturb", str(source), "-o", str(target), *noise, "--quiet")
    return target


def trustag(*arguments: str) -> None:
    """Run a command that must succeed."""
    subprocess.run([sys.executable, "-m", "trustag", *arguments], capture_output=True, check=True)


def measured(arguments: list[str]) -> tuple[str, float]:
    """Return what a command of ours prints, and the processor time that it and its workers used."""
    command = [sys.executable, "-m", "trustag", *arguments]
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=printed, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        said.seek(0)
        if process.returncode:
            raise RuntimeError(said.read())
        return printed.read(), used.ru_utime + used.ru_stime


def summary(runs: list[Found]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each corpus and system: means over the seeds, and the spread on test."""
    yield ("corpus", "system", "seeds", "dev F1", "test F1", "spread", "CPU s")
    for corpus in CORPORA | LEVELS:
        for system in EVERY_SYSTEM:
            own = [run for run in runs if (run["corpus"], run["system"]) == (corpus, system)]
            if own:
                dev, test = ([100 * run[split]["f1"] for run in own] for split in ("dev", "test"))
                spread = f"{stdev(test):.2f}" if len(test) > 1 else "-"
                seconds = mean(run["cpu_seconds"] for run in own)
                figures = (f"{mean(dev):.2f}", f"{mean(test):.2f}", spread, f"{seconds:.0f}")
                yield (corpus, system, str(len(own)), *figures)


@contextmanager
def scratch_folder(kept: Path | None) -> Iterator[Path]:
    """Give the folder that is to be ``kept``, or one that goes away afterwards."""
    if kept is None:
        with tempfile.TemporaryDirectory() as passing:
            yield Path(passing)
    else:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept


def main() -> None:
    """Make every run that is missing and write the result file after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vectors", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--systems", nargs="*", default=list(SYSTEMS), choices=EVERY_SYSTEM)
    parser.add_argument("--corpora", nargs="*", default=list(CORPORA), choices=CORPORA | LEVELS)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"{arguments.data} is not there: skipped")
        return
    wanted = [
        Job(corpus, system, seed)
        for seed in range(FIRST, FIRST + arguments.seeds)
        for system in arguments.systems
        for corpus in arguments.corpora
        if EVERY_SYSTEM[system].suits((CORPORA | LEVELS)[corpus])
    ]
    if minilm() is None and any(EVERY_SYSTEM[job.system].context for job in wanted):
        print("MiniLM is not installed: systems with its features are skipped")
        wanted = [job for job in wanted if not EVERY_SYSTEM[job.system].context]
    runs: list[Found] = []
    noise: dict[str, Found] = {}
    if arguments.output.exists():
        known = json.loads(arguments.output.read_text(encoding="utf-8"))
        runs = [run for run in known["runs"] if run["settings"] == settings_of(run["system"])]
        noise = known["noise"]
    done = {Job(run["corpus"], run["system"], run["seed"]) for run in runs}
    with scratch_folder(arguments.keep) as scratch, ThreadPoolExecutor(AT_ONCE) as pool:
        places = Places(arguments.data, arguments.vectors, scratch)
        for job in {(job.corpus, EVERY_SYSTEM[job.system].on_gold): job for job in wanted}.values():
            train = _train_file(job, (CORPORA | LEVELS)[job.corpus], places)  # before two runs want the same file
            if not EVERY_SYSTEM[job.system].on_gold:
                noise[job.corpus] = noise_of(train)
        fetching = [(CORPORA | LEVELS)[job.corpus] for job in wanted if EVERY_SYSTEM[job.system].fetched]
        for name in {corpus.advised_vectors for corpus in fetching}:
            trustag("vectors", "get", name)
        missing = [job for job in wanted if job not in done]
        followers = [job for job in missing if EVERY_SYSTEM[job.system].searches and job.seed > FIRST]
        for jobs in ([job for job in missing if job not in followers], followers):
            further = {job: as_searched(job, runs) if job in followers else () for job in jobs}
            waiting = [pool.submit(run_of, job, places, further[job]) for job in jobs]
            for finished in as_completed(waiting):
                runs.append(finished.result())
                runs.sort(key=lambda run: (list(CORPORA | LEVELS).index(run["corpus"]), run["system"], run["seed"]))
                write_result(arguments.output, {**origin(("torch", "numpy")), "noise": noise, "runs": runs})
    print(aligned(list(summary(runs))))


if __name__ == "__main__":
    main()
