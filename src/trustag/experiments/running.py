"""Train every cell of an experiment that has no result yet."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, as_completed
from pathlib import Path

from trustag.engines import Engine
from trustag.experiments.cells import CellJob, run_cell
from trustag.experiments.corpora import label_noise, load_splits
from trustag.experiments.experiment import Cell, Experiment
from trustag.experiments.results import CellResult, Results


def run_missing(experiment: Experiment, known: Results, folder: Path, engine: Engine) -> Iterator[Results]:
    """Yield the results after each finished cell; run folders are left in ``folder``.

    Cells that copy the noise rates which the first seed of their system found wait until all others are done.
    """
    missing = known.missing(experiment)
    waves = [[cell for cell in missing if experiment.copies_rates(cell) == copies] for copies in (False, True)]
    results = known
    for cells in waves:
        jobs = [_job(cell, experiment, results, folder) for cell in cells]
        for run in _finished(jobs, engine):
            results = results.with_run(run, list(experiment.corpora))
            yield results


def with_label_noise(experiment: Experiment, known: Results) -> Results:
    """Return the results with the noise in the training labels of every corpus that is trained on as given."""
    trained = {cell.corpus for cell in experiment.cells() if not experiment.systems[cell.system].gold_labels}
    measured = {
        name: label_noise(load_splits(source).train) for name, source in experiment.corpora.items() if name in trained
    }
    return Results(known.runs, {**known.noise, **measured})


def _job(cell: Cell, experiment: Experiment, results: Results, folder: Path) -> CellJob:
    rates = _first_rates(cell, experiment, results) if experiment.copies_rates(cell) else None
    corpus, system = experiment.corpora[cell.corpus], experiment.systems[cell.system]
    return CellJob(cell, corpus, system, folder, rates)


def _first_rates(cell: Cell, experiment: Experiment, results: Results) -> tuple[float, float]:
    first = results.of(cell._replace(seed=experiment.seeds[0]))
    if first is None or first.rates is None:
        raise ValueError(f"{cell.corpus}, {cell.system}: the first seed has found no noise rates")
    return first.rates["negative"], first.rates["positive"]


def _finished(jobs: Sequence[CellJob], engine: Engine) -> Iterator[CellResult]:
    """Yield each result as soon as it is there; an engine without worker processes trains while a job is submitted."""
    waiting: list[Future[CellResult]] = []
    for job in jobs:
        submitted = engine.submit(run_cell, job)
        if submitted.done():
            yield submitted.result()
        else:
            waiting.append(submitted)
    for future in as_completed(waiting):
        yield future.result()
