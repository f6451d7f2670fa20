"""The confidence method with its trainings changed as a variant says; trainings that variants share are done once."""

import hashlib
import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import torch

from benchmarks.passes_variants import FOLDS, PARTS, RATES, Start, Variant
from trustag.methods.confidence import METHOD as CONFIDENCE
from trustag.methods.confidence.objective import ConfidentLabels
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.models.network import Network
from trustag.models.warm_start import WarmStart
from trustag.notes import Watch
from trustag.training.fit_results import FitResult, Job, fit_and_predict, read_result
from trustag.training.jobs import Jobs
from trustag.training.objectives import WeightedLabels

_COST: Final = "cost.json"
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AverageStart(WarmStart):
    """The mean of the weights of several models, whose trainings have a common beginning."""

    others: tuple[Path, ...] = ()

    def apply(self, network: Network, watch: Watch) -> None:
        """Put the mean of the weights into ``network``."""
        states = []
        for model in (self.model, *self.others):
            WarmStart(model).apply(network, watch)
            states.append({name: weight.clone() for name, weight in network.state_dict().items()})
        mean = {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}
        network.load_state_dict(mean)


@dataclass(slots=True)
class SharedJobs:
    """Does the trainings of a variant in a folder that all variants share, where each is done once."""

    variant: Variant
    folder: Path
    watch: Watch
    cost: Row = field(default_factory=dict)
    models: dict[str, Path] = field(default_factory=dict)

    def run(self, stage: str, jobs: Mapping[str, Job]) -> dict[str, FitResult]:  # noqa: ARG002 - the protocol
        """Return the results of the jobs, changed as the variant says."""
        return {name: self._done(name, self._changed(name, job)) for name, job in jobs.items()}

    def reuse(self, done: str, name: str) -> None:
        """Fail: no variant searches for noise rates."""
        raise NotImplementedError(f"{done} for {name}")

    def _changed(self, name: str, job: Job) -> Job:
        variant, fit = self.variant, job.fit
        part = _part(name)
        chosen = variant.parts.get(part)
        if chosen is None:
            return replace(job, keeps_model=True)
        schedule, share = fit.schedule, chosen.share
        epochs, patience = (max(1, math.ceil(count * share)) for count in (schedule.epochs, schedule.patience))
        schedule = replace(schedule, epochs=epochs, patience=patience)
        return replace(
            job, keeps_model=True, fit=replace(fit, schedule=schedule, start=self._start(name, chosen.start))
        )

    def _start(self, name: str, start: Start) -> WarmStart | None:
        if start == "fresh":
            return None
        if start == "same fold of rates":
            return WarmStart(self.models[name.replace("round-1", "rates")])
        which, _, part = start.partition(" of ")
        found = [path for job, path in self.models.items() if job.startswith({"rates": RATES, "folds": FOLDS}[part])]
        return WarmStart(found[0]) if which == "first" else AverageStart(found[0], "all", tuple(found[1:]))

    def _done(self, name: str, job: Job) -> FitResult:
        place = self.folder / name.replace("/", "-") / _key(job)
        if not (place / _COST).exists():
            begin = time.process_time()
            for note in fit_and_predict(job, place, report=lambda _: None):
                self.watch(note)
            (place / _COST).write_text(json.dumps(time.process_time() - begin))
        result = read_result(place, job.predict, job.fit.network.settings.model.head)
        self.models[name] = result.model
        done = self.cost.setdefault(_part(name), {"cpu_seconds": 0.0, "tokens": 0, "dev_f1": []})
        done["cpu_seconds"] += json.loads((place / _COST).read_text())
        done["tokens"] += len(result.history) * sum(job.fit.corpus.lengths)
        done["dev_f1"].append(result.dev_f1)
        done["best_epoch"] = [result.kept_epoch.epoch, len(result.history)]
        return result


@dataclass(slots=True)
class VariedMethod:
    """The confidence method with the trainings of a variant."""

    variant: Variant
    folder: Path
    cost: Row = field(default_factory=dict)
    summary = CONFIDENCE.summary
    Settings = ConfidenceSettings
    check = staticmethod(CONFIDENCE.check)
    plan = staticmethod(CONFIDENCE.plan)

    def train(self, task: Any, settings: ConfidenceSettings, jobs: Jobs) -> Any:
        """Train as the method does."""
        return CONFIDENCE.train(task, settings, SharedJobs(self.variant, self.folder, jobs.watch, self.cost))


PRESENT: list[VariedMethod] = []


def __getattr__(name: str) -> VariedMethod:
    """Return the method that is measured at present, which a recipe names like any other."""
    if name == "METHOD":
        return PRESENT[-1]
    raise AttributeError(name)


def _part(name: str) -> str:
    return next(part for part in (*PARTS, "") if name.startswith(part))


def _key(job: Job) -> str:
    """Return a name of all that a training depends on, beside the corpus, the seed and the name of the job."""
    fit = job.fit
    objective: list[object] = [type(fit.objective).__name__]
    digest = hashlib.sha256()
    if isinstance(fit.objective, ConfidentLabels):
        settings = fit.objective.settings.model_copy(update={"rates": None, "rounds": None, "parity": None})
        objective += [fit.objective.rates, settings]
    if isinstance(fit.objective, WeightedLabels):
        digest.update(fit.objective.weights.numpy().tobytes())
    digest.update(fit.corpus.label_ids.numpy().tobytes())
    network = fit.network.settings.bilstm.model_copy(update={"vectors": ""})
    digest.update(
        repr([objective, fit.schedule, fit.training, network, fit.network.finetune_vectors, fit.start]).encode()
    )
    return digest.hexdigest()[:16]
