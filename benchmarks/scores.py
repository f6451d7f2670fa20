"""What the method, its variants and its rivals reach on real corpora, with several seeds.

``python -m benchmarks.scores --data FOLDER --vectors FOLDER --output results/scores.json`` trains two runs at a time,
one thread each. The dev split selects, the test split is read once, at the end of a run. A run that the result file
holds already is not repeated unless its settings have changed, so the table can be made in several sittings; every run
carries its commit and machine. ``--systems`` and ``--corpora`` choose parts of the table, also ablations and noise
levels, which are not trained by default; ``--keep FOLDER`` keeps the run folders, for benchmarks that read them again.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, stdev
from typing import Final

from benchmarks.commands import trustag
from benchmarks.machine import aligned
from benchmarks.systems import CORPORA, EVERY_CORPUS, EVERY_SYSTEM, SYSTEMS
from trustag.engines.worker_processes import WorkerProcesses
from trustag.experiments.experiment import Experiment
from trustag.experiments.results import CellResult, read_results, write_results
from trustag.experiments.running import run_missing, with_label_noise
from trustag.vectors.encoder_fetching import is_stored
from trustag.vectors.encoder_sources import ENCODERS

AT_ONCE: Final = 2


def summary(runs: Sequence[CellResult]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each corpus and system: means over the seeds, and the standard deviation on test."""
    yield ("corpus", "system", "seeds", "dev F1", "test F1", "spread", "CPU s")
    for corpus in EVERY_CORPUS:
        for system in EVERY_SYSTEM:
            own = [run for run in runs if (run.corpus, run.system) == (corpus, system)]
            if own:
                dev, test = ([100 * score["f1"] for score in scores if score] for scores in _scores(own))
                spread = f"{stdev(test):.2f}" if len(test) > 1 else "-"
                seconds = mean(run.cpu_seconds for run in own)
                figures = (f"{mean(dev):.2f}", f"{mean(test):.2f}", spread, f"{seconds:.0f}")
                yield (corpus, system, str(len(own)), *figures)


def _scores(runs: Sequence[CellResult]) -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    return [dict(run.dev or {}) for run in runs], [dict(run.test or {}) for run in runs]


@contextmanager
def run_folder(kept: Path | None) -> Iterator[Path]:
    """Give the folder that is to be ``kept``, or one that is removed afterwards."""
    if kept is None:
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary)
    else:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept


def chosen_experiment(arguments: argparse.Namespace) -> Experiment:
    """Return the part of the table that was asked for."""
    return Experiment(
        corpora={name: EVERY_CORPUS[name].located(arguments.data, arguments.vectors) for name in arguments.corpora},
        systems={name: EVERY_SYSTEM[name] for name in arguments.systems},
        seeds=range(1, arguments.seeds + 1),
        without={name for name, source in ENCODERS.items() if not is_stored(source)},
    )


def main() -> None:
    """Make every run that is missing and write the result file after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vectors", "--output"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--systems", nargs="*", default=list(SYSTEMS), choices=EVERY_SYSTEM)
    parser.add_argument("--corpora", nargs="*", default=list(CORPORA), choices=EVERY_CORPUS)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"{arguments.data} is not there: skipped")
        return
    experiment = chosen_experiment(arguments)
    for name in {system.context for system in experiment.systems.values()}.intersection(experiment.without):
        print(f"{name} is not downloaded (trustag vectors get {name}): systems with it are skipped")
    results = with_label_noise(experiment, read_results(arguments.output).current(experiment))
    if any(system.advised_vectors for system in experiment.systems.values()):
        for name in {source.advised_vectors for source in experiment.corpora.values()}:
            trustag("vectors", "get", name)
    with run_folder(arguments.keep) as folder, WorkerProcesses(AT_ONCE) as engine:
        for results in run_missing(experiment, results, folder, engine):  # noqa: B020 - the results so far, and after
            write_results(arguments.output, results)
    print(aligned(list(summary(results.runs))))


if __name__ == "__main__":
    main()
