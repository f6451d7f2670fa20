"""Results of an experiment in one JSON file: a record for each cell, and how noisy the labels of each corpus are."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from trustag.experiments.experiment import Cell, Experiment
from trustag.experiments.first_checksums import todays_checksum
from trustag.experiments.provenance import provenance
from trustag.files.outputs import new_file

Score = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CellResult:
    """What one training gave: scores, processor time, and what it found of the labels.

    ``settings`` is the checksum of all its settings. ``rates``, ``changed``, ``labels`` and ``detection`` are there if
    the method looked at the labels; results of the first version do not name ``recipe`` and ``machine``.
    ``vectors`` are the word vectors that it started from, a file without its folder; earlier results do not name them.
    ``context`` is the encoder whose frozen features were read, ``features_cpu_seconds`` what those took. ``resumed``
    if an earlier process had begun it, whose time is not counted. ``sentences`` says how many entities of each test
    sentence are right, as :mod:`trustag.experiments.sentence_results` writes it; earlier results do not.
    """

    corpus: str
    system: str
    seed: int
    settings: str
    commit: str
    cpu_seconds: float
    best_epoch: int
    dev: Score | None
    test: Score | None
    rates: Mapping[str, Any] | None = None
    changed: int | None = None
    labels: int | None = None
    detection: Mapping[str, Any] | None = None
    recipe: str | None = None
    machine: Mapping[str, Any] | None = None
    vectors: str | None = None
    context: str | None = None
    features_cpu_seconds: float | None = None
    resumed: bool | None = None
    sentences: str | None = None

    @property
    def cell(self) -> Cell:
        """Which cell of the experiment this is."""
        return Cell(self.corpus, self.system, self.seed)

    def record(self) -> dict[str, Any]:
        """Return the result as it stands in a file; what is unknown is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None or name in {"dev", "test"}}


@dataclass(frozen=True, slots=True)
class Results:
    """The results so far, how noisy the training labels of each corpus are, and what readers should know of them."""

    runs: Sequence[CellResult] = ()
    noise: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    remarks: Sequence[str] = ()

    def of(self, cell: Cell) -> CellResult | None:
        """Return the result of one cell, where there is one."""
        return next((run for run in self.runs if run.cell == cell), None)

    def current(self, experiment: Experiment) -> "Results":
        """Return the results without those of ``experiment`` whose settings or vectors have changed; others stay."""
        checksums = {name: system.checksum() for name, system in experiment.systems.items()}
        kept = [
            run
            for run in self.runs
            if todays_checksum(run.settings) == checksums.get(run.system, todays_checksum(run.settings))
            and run.vectors in {None, _vectors_today(run, experiment)}
        ]
        return replace(self, runs=tuple(kept))

    def missing(self, experiment: Experiment) -> list[Cell]:
        """Return the cells of ``experiment`` that have no result yet."""
        done = {run.cell for run in self.runs}
        return [cell for cell in experiment.cells() if cell not in done]

    def without(self, cells: Collection[Cell]) -> "Results":
        """Return the results without those of some cells."""
        return replace(self, runs=tuple(run for run in self.runs if run.cell not in set(cells)))

    def with_run(self, run: CellResult, corpora: Sequence[str]) -> "Results":
        """Return the results with one more, in the order of ``corpora``, then of system and seed."""

        def order(one: CellResult) -> tuple[int, str, int]:
            return (corpora.index(one.corpus) if one.corpus in corpora else len(corpora)), one.system, one.seed

        others = [one for one in self.runs if one.cell != run.cell]
        return replace(self, runs=tuple(sorted([*others, run], key=order)))


def names_of_vectors(vectors: str) -> str | None:
    """Return how results name word vectors: a file without its folder, nothing for random ones.

    >>> names_of_vectors("/somewhere/english.txt.gz"), names_of_vectors("english-clusters+english-glove")
    ('english.txt.gz', 'english-clusters+english-glove')
    """
    return Path(vectors).name or None


def _vectors_today(run: CellResult, experiment: Experiment) -> str | None:
    """Return the vectors that a result would have today; its own if it is not one of ``experiment``."""
    system, corpus = experiment.systems.get(run.system), experiment.corpora.get(run.corpus)
    return run.vectors if system is None or corpus is None else names_of_vectors(system.vectors(corpus))


def read_results(path: Path) -> Results:
    """Return the results in a file; none where there is no file."""
    if not path.exists():
        return Results()
    return results_of(json.loads(path.read_text(encoding="utf-8")))


def results_of(known: Mapping[str, Any]) -> Results:
    """Return the results that the contents of a file are."""
    return Results(tuple(CellResult(**run) for run in known["runs"]), known["noise"], tuple(known.get("remarks", ())))


def add_result(
    path: Path, result: CellResult, noise: Mapping[str, Mapping[str, float]], corpora: Sequence[str]
) -> None:
    """Put a result into a file, in the order of ``corpora``; others that came into it meanwhile stay there."""
    known = read_results(path)
    write_results(path, replace(known, noise={**known.noise, **noise}).with_run(result, corpora))


def write_results(path: Path, results: Results) -> None:
    """Put the results, with the commit, the machine and the versions, in place of whatever is at ``path``."""
    found = {
        **provenance(("torch", "numpy")),
        "remarks": list(results.remarks),
        "noise": dict(results.noise),
        "runs": [run.record() for run in results.runs],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path, overwrite=True) as stream:
        stream.write((json.dumps(found, indent=2, ensure_ascii=False) + "\n").encode())
