"""Which cells of an experiment can be trained here, and why the others cannot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trustag.corpora.locating import DEMO
from trustag.errors import InputError, TrustagError
from trustag.experiments.cells import make_importable
from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Experiment
from trustag.experiments.grid import Grid
from trustag.experiments.results import Results, read_results
from trustag.experiments.systems import System
from trustag.vectors.encoder_fetching import is_stored
from trustag.vectors.encoder_sources import ENCODERS


@dataclass(frozen=True, slots=True)
class Trainable:
    """The part of an experiment that can be trained here; of corpora and systems that cannot, why."""

    experiment: Experiment
    left_out: Mapping[str, str]


def trainable(experiment: Experiment) -> Trainable:
    """Leave out corpora that are not here, methods that cannot be loaded, and encoders that are not downloaded."""
    reasons: dict[str, str] = {}
    for name, source in experiment.corpora.items():
        reason = _missing_files(source)
        if reason:
            reasons[name] = reason
    reasons |= {name: reason for name, system in experiment.systems.items() if (reason := _reason(system))}
    encoders = {name for name, source in ENCODERS.items() if not is_stored(source)}
    for name, system in experiment.systems.items():
        if system.context in encoders:
            reasons[name] = f"{system.context} is not downloaded; trustag vectors get {system.context}"
    left = replace(
        experiment,
        corpora={name: source for name, source in experiment.corpora.items() if name not in reasons},
        systems={name: system for name, system in experiment.systems.items() if name not in reasons},
        without=encoders,
    )
    return Trainable(left, reasons)


def _missing_files(source: ExperimentCorpus) -> str:
    if source.name.partition(":")[0] != DEMO and not Path(source.name).exists():
        return f"no corpus {source.name}; name its folder with --data"
    vectors = Path(source.vectors)
    if source.vectors and vectors.suffix in {".gz", ".txt", ".vec"} and not vectors.exists():
        return f"no word vectors {source.vectors}; name their folder with --vectors"
    return ""


def current_results(grid: Grid, files: Sequence[Path]) -> Results:
    """Return the results in some files that hold for a grid as it is today; how many do not is remarked.

    Where two files have a result for one cell, that of the later file counts. Results of methods that cannot be loaded
    here are taken as they are.
    """
    make_importable(grid.modules())
    whole = Results()
    for file in files:
        if not file.exists():
            raise InputError("no such file", where=file, remedy="train first: trustag experiment run")
        found = read_results(file)
        runs = {run.cell: run for run in (*whole.runs, *found.runs)}
        remarks = tuple(dict.fromkeys((*whole.remarks, *found.remarks)))
        whole = Results(tuple(runs.values()), {**whole.noise, **found.noise}, remarks)
    experiment = grid.experiment()
    loadable = {name: system for name, system in experiment.systems.items() if not _reason(system)}
    current = whole.current(replace(experiment, systems=loadable))
    outdated = len(whole.runs) - len(current.runs)
    if outdated:
        remark = f"{outdated} results of other settings or word vectors are left out."
        current = replace(current, remarks=(*current.remarks, remark))
    return current


def _reason(system: System) -> str:
    """Return why the method of a system cannot be loaded, nothing if it can."""
    try:
        system.checksum()
    except TrustagError as error:
        return str(error)
    return ""
