"""Train one cell of an experiment and return its result; it can be done in another process."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trustag.experiments.corpora import ExperimentCorpus, load_splits
from trustag.experiments.experiment import Cell
from trustag.experiments.provenance import commit, machine
from trustag.experiments.results import CellResult, names_of_vectors
from trustag.experiments.systems import System
from trustag.pipeline import Destination, TrainResult, train


@dataclass(frozen=True, slots=True)
class CellJob:
    """A cell with all that its training needs: corpus, system, and the folder to put its run in.

    ``rates`` are the noise rates of ``O`` labels and of entity labels, if the first seed has found them already.
    """

    cell: Cell
    corpus: ExperimentCorpus
    system: System
    folder: Path
    rates: tuple[float, float] | None = None

    def changes(self) -> list[str]:
        """Return the settings that the cell has beside those of its system."""
        return [f"training.seed={self.cell.seed}", *self._inputs(), *self._given_rates()]

    def _inputs(self) -> list[str]:
        vectors = self.system.vectors(self.corpus)
        found = [f"bilstm.vectors='{vectors}'" if vectors else "bilstm.random_vectors=true"]
        return [*found, f"bilstm.context='{self.system.context}'"] if self.system.context else found

    def _given_rates(self) -> list[str]:
        if self.rates is None:
            return []
        negative, positive = self.rates
        return [
            "method.rates.source=given",
            f"method.rates.negative={negative}",
            f"method.rates.positive={positive}",
        ]


def run_cell(job: CellJob) -> CellResult:
    """Train once, on one thread of this process, and return scores, processor time and what was found of the labels.

    Features of an encoder that an earlier run computed count with the time that they took then.
    """
    begin = time.process_time()
    recipe = job.system.resolved(job.changes())
    corpus = load_splits(job.corpus, gold_labels=job.system.gold_labels)
    # The jobs of runs that are kept can be analysed anew.
    destination = Destination(job.folder / job.cell.folder_name, overwrite=True, keep_jobs=True)
    trained = train(corpus, recipe, destination)
    scores, cost = trained.scores.summary(), trained.feature_cost
    return CellResult(
        **job.cell._asdict(),
        settings=job.system.checksum(),
        commit=commit(),
        cpu_seconds=round(time.process_time() - begin + cost.reused, 1),
        best_epoch=trained.best_epoch,
        dev=scores["dev"],
        test=scores["test"],
        **_label_facts(trained),
        recipe=job.system.recipe,
        machine=machine(),
        vectors=names_of_vectors(job.system.vectors(job.corpus)),
        context=job.system.context or None,
        features_cpu_seconds=round(cost.computed + cost.reused, 1) if job.system.context else None,
    )


def _label_facts(trained: TrainResult) -> Mapping[str, Any]:
    """Return what a result says of the labels, where the method looked at them."""
    if trained.analysis is None:
        return {}
    facts = trained.analysis.summary()
    return {name: facts[name] for name in ("rates", "changed", "labels", "detection")}
