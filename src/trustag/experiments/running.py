"""Train every cell of an experiment that has no result yet; a cell that fails does not stop the others."""

import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from trustag.engines import Engine
from trustag.errors import TrustagError
from trustag.experiments.cell_inputs import load_inputs
from trustag.experiments.cells import CellJob, finished_cell, run_cell
from trustag.experiments.corpora import label_noise, load_splits
from trustag.experiments.experiment import Cell, Experiment
from trustag.experiments.results import CellResult, Results
from trustag.files.outputs import new_file


class Step(NamedTuple):
    """A cell is over: the results with it, or why it failed."""

    cell: Cell
    results: Results
    failure: str = ""


@dataclass(frozen=True, slots=True)
class CellRuns:
    """Where the runs of cells are left, and how: with all their trainings if ``keep_jobs``; ``anew`` not continued.

    ``modules`` are files of methods that are not part of Trustag.
    """

    folder: Path
    modules: Sequence[Path] = ()
    keep_jobs: bool = False
    anew: bool = False


def run_missing(experiment: Experiment, known: Results, runs: CellRuns, engine: Engine) -> Iterator[Step]:
    """Yield a step after each cell that is over; run folders are left behind.

    Cells that copy the noise rates which the first seed of their system found wait until all others are done.
    """
    missing = known.missing(experiment)
    waves = [[cell for cell in missing if experiment.copies_rates(cell) == copies] for copies in (False, True)]
    results = known
    for cells in waves:
        jobs = []
        for cell in cells:
            try:
                jobs.append(_job(cell, experiment, results, runs))
            except TrustagError as error:
                yield Step(cell, results, str(error))
        for cell, found in _finished(jobs, runs, engine):
            if isinstance(found, CellResult):
                results = results.with_run(found, list(experiment.corpora))
                yield Step(cell, results)
            else:
                yield Step(cell, results, _failure(cell, found, runs.folder))


def with_label_noise(experiment: Experiment, known: Results, cells: Sequence[Cell] | None = None) -> Results:
    """Return the results with the noise in the training labels of corpora that are trained on as given.

    These are the corpora of some cells, of all by default; what is known already is not measured again.
    """
    chosen = experiment.cells() if cells is None else cells
    trained = {cell.corpus for cell in chosen if not experiment.systems[cell.system].gold_labels}
    measured = {
        name: label_noise(load_splits(source).train)
        for name, source in experiment.corpora.items()
        if name in trained and name not in known.noise
    }
    return replace(known, noise={**known.noise, **measured})


def _job(cell: Cell, experiment: Experiment, results: Results, runs: CellRuns) -> CellJob:
    rates = _first_rates(cell, experiment, results) if experiment.copies_rates(cell) else None
    corpus, system = experiment.corpora[cell.corpus], experiment.systems[cell.system]
    return CellJob(cell, corpus, system, rates, runs.modules, runs.keep_jobs, runs.anew)


def _first_rates(cell: Cell, experiment: Experiment, results: Results) -> tuple[float, float]:
    first = results.of(cell._replace(seed=experiment.first_seed(cell.corpus)))
    if first is None or first.rates is None:
        raise TrustagError("the first seed has found no noise rates")
    return first.rates["negative"], first.rates["positive"]


def _finished(
    jobs: Sequence[CellJob], runs: CellRuns, engine: Engine
) -> Iterator[tuple[Cell, CellResult | BaseException]]:
    """Yield each result or error as soon as it is there; without worker processes a job is done while submitted."""
    waiting: dict[Future[CellResult], Cell] = {}
    for job in jobs:
        folder = runs.folder / job.cell.folder_name
        try:
            done = finished_cell(job, folder)
            if done is not None:
                yield job.cell, done
                continue
            whole = job if engine.shares_files else replace(job, inputs=load_inputs(job))
        except TrustagError as error:
            yield job.cell, error
            continue
        submitted = engine.submit_into(folder, run_cell, whole)
        if submitted.done():
            yield job.cell, _outcome(submitted)
        else:
            waiting[submitted] = job.cell
    for future in as_completed(waiting):
        yield waiting[future], _outcome(future)


def _outcome(future: "Future[CellResult]") -> CellResult | BaseException:
    return future.exception() or future.result()


def _failure(cell: Cell, error: BaseException, folder: Path) -> str:
    """Return why a cell failed, in one line; the whole story of an unexpected error is left beside the runs."""
    if isinstance(error, TrustagError):
        return str(error)
    folder.mkdir(parents=True, exist_ok=True)
    with new_file(folder / f"{cell.folder_name}.error.txt", overwrite=True) as stream:
        stream.write("".join(traceback.format_exception(error)).encode())
    return f"{type(error).__name__}: {error} ({cell.folder_name}.error.txt)"
