"""Train one cell of an experiment and return its result; it can be done in another process, or on another machine."""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tomli_w

from trustag.engines.in_process import InProcess
from trustag.experiments.corpora import ExperimentCorpus, load_splits
from trustag.experiments.experiment import Cell
from trustag.experiments.provenance import commit, machine
from trustag.experiments.results import CellResult, names_of_vectors
from trustag.experiments.sentence_results import as_text
from trustag.experiments.systems import System
from trustag.models.saving import load_model
from trustag.pipeline import Destination, GivenInputs, RunContext, TrainResult, train_in
from trustag.recipes.settings import Recipe
from trustag.runs.folder import RunFolder, write_text
from trustag.text.paired_scores import sentence_counts
from trustag.text.schemes import Scheme
from trustag.text.sentences import Corpus, Sentence

RESULT_FILE: Final = "cell.json"


@dataclass(frozen=True, slots=True)
class CellInputs:
    """What a cell reads from files, read already: for machines that do not have these files."""

    corpus: Corpus
    given: GivenInputs


@dataclass(frozen=True, slots=True)
class CellJob:
    """A cell with all that its training needs: corpus and system.

    ``rates`` are the noise rates of ``O`` labels and of entity labels, if the first seed has found them already;
    ``modules`` the files of methods that are not part of Trustag. ``anew`` what an earlier process left is not used.
    """

    cell: Cell
    corpus: ExperimentCorpus
    system: System
    rates: tuple[float, float] | None = None
    modules: Sequence[Path] = ()
    keep_jobs: bool = False
    anew: bool = False
    inputs: CellInputs | None = None

    def recipe(self) -> Recipe:
        """Return all settings of the cell."""
        return self.system.resolved(self.changes())

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


def run_cell(job: CellJob, folder: Path) -> CellResult:
    """Train once in ``folder``, on one thread of this process, and return scores, time and what was found of labels.

    A run that was begun with the same settings is continued. Features of an encoder that an earlier run computed count
    with the time that they took then.
    """
    begin = time.process_time()
    make_importable(job.modules)
    recipe = job.recipe()
    resumes = not job.anew and _is_begun(folder, recipe)
    destination = Destination(folder, resume=resumes, overwrite=not resumes, keep_jobs=job.keep_jobs)
    inputs = job.inputs
    corpus = load_splits(job.corpus, gold_labels=job.system.gold_labels) if inputs is None else inputs.corpus
    context = RunContext(InProcess(), given=None if inputs is None else inputs.given)
    trained = train_in(corpus, recipe, destination, context)
    scores, cost = trained.scores.summary(), trained.feature_cost
    result = CellResult(
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
        resumed=resumes or None,
        sentences=_by_sentence(trained.run, corpus.test),
    )
    write_text(folder / RESULT_FILE, json.dumps(result.record()))
    return result


def finished_cell(job: CellJob, folder: Path) -> CellResult | None:
    """Return the result that an earlier process left in the run folder of the same cell, if any."""
    try:
        found = CellResult(**json.loads((folder / RESULT_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    recipe = RunFolder(folder).recipe
    is_same = (
        found.cell == job.cell and recipe.is_file() and _text_of(recipe) == tomli_w.dumps(job.recipe().model_dump())
    )
    return found if is_same and not job.anew else None


def make_importable(modules: Sequence[Path]) -> None:
    """Let the methods in some files be imported by the names of the files."""
    for folder in {str(module.parent) for module in modules}.difference(sys.path):
        sys.path.insert(0, folder)


def _is_begun(folder: Path, recipe: Recipe) -> bool:
    """Tell whether a run in ``folder`` was begun with the same settings and not finished."""
    run = RunFolder(folder)
    if not (run.manifest.is_file() and run.recipe.is_file()):
        return False
    facts = json.loads(_text_of(run.manifest))
    return "finished" not in facts and _text_of(run.recipe) == tomli_w.dumps(recipe.model_dump())


def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _by_sentence(run: RunFolder, test: Sequence[Sentence]) -> str | None:
    """Return how many entities of each test sentence the kept model has right."""
    if not test:
        return None
    tagged = load_model(run.best).tag((sentence.tokens for sentence in test), Scheme.IOB2)
    return as_text(sentence_counts([sentence.labels for sentence in test], list(tagged)))


def _label_facts(trained: TrainResult) -> Mapping[str, Any]:
    """Return what a result says of the labels, where the method looked at them."""
    if trained.analysis is None:
        return {}
    facts = trained.analysis.summary()
    return {name: facts[name] for name in ("rates", "changed", "labels", "detection")}
