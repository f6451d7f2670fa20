"""What a training comes to: the scores of its models, what was found of the labels, and the run that holds it all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from trustag.crossfit.rounds import round_name
from trustag.label_quality.analysis import LabelAnalysis
from trustag.runs.folder import RunFolder
from trustag.runs.label_columns import run_labels
from trustag.runs.records import EpochReport
from trustag.text.scoring import EntityScores
from trustag.training.context_features import FeatureCost

BASELINE: Final = "baseline"


@dataclass(frozen=True, slots=True)
class Scores:
    """How a model does on dev and test, where there are such splits."""

    dev: EntityScores | None
    test: EntityScores | None

    def summary(self) -> dict[str, dict[str, float] | None]:
        """Return precision, recall and F1, for manifests and screens."""
        return {"dev": _micro(self.dev), "test": _micro(self.test)}


@dataclass(frozen=True, slots=True)
class TrainResult:
    """A finished run: where it is, how each epoch of its model went, its scores, and what was found of the labels.

    ``compared`` are the scores of other models of the run, such as the ``baseline`` that was trained on the labels as
    given; ``analysis`` is there if the method looked at the labels. ``gold_used_for`` says what the gold column of the
    training corpus was used for, if for anything.
    """

    run: RunFolder
    method: str
    sentences: int
    history: tuple[EpochReport, ...]
    scores: Scores
    compared: Mapping[str, Scores] = field(default_factory=dict)
    analysis: LabelAnalysis | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    gold_used_for: str = ""
    tables: tuple[str, ...] = ()
    feature_cost: FeatureCost = field(default_factory=FeatureCost)

    @property
    def best_epoch(self) -> int:
        """The epoch whose model was kept, counted from 0."""
        return max(entry.epoch for entry in self.history if entry.is_best)

    @property
    def kept(self) -> Mapping[str, Any]:
        """Which of several models was kept, by ``name``, and the ``reason``; empty where there was no choice."""
        found = self.facts.get("kept", {})
        return found if isinstance(found, Mapping) else {}

    @property
    def relabelled(self) -> Scores | None:
        """The scores of the model that learned the new labels, where there is one and it was scored."""
        return None if self.analysis is None else self.compared.get(round_name(self.analysis.round))

    @property
    def baseline(self) -> Scores | None:
        """The scores of the model that was trained on the labels as given, where there is one."""
        return self.compared.get(BASELINE)

    @property
    def others(self) -> Mapping[str, Scores]:
        """The scores of models that are neither the baseline nor those of rounds, such as those of stages, by name."""
        rounds = {round_name(number) for number in range(1, len(self.compared) + 1)}
        return {name: scores for name, scores in self.compared.items() if name not in {BASELINE, *rounds}}

    def contents(self) -> dict[str, object]:
        """Return what the files of the run hold, as far as it is at hand, by its name in ``RunFiles``."""
        found: dict[str, object] = {"epochs": self.history}
        if self.analysis is not None:
            columns, relabelled = self.analysis.columns, self.analysis.relabelled
            found |= {"issues": self.analysis.issues, "label_columns": columns}
            found["labels"] = run_labels(columns, relabelled, self.run.confidence, self.run.relabelled.name)
        return found

    def summary(self) -> dict[str, object]:
        """Return what came out, for manifests and screens."""
        found: dict[str, object] = {"best_epoch": self.best_epoch, **self.scores.summary(), **self.facts}
        if self.baseline is not None:
            found[BASELINE] = self.baseline.summary()
        others = self.others
        rounds = [scores.summary() for name, scores in self.compared.items() if name not in {BASELINE, *others}]
        if rounds:
            found["rounds"] = rounds
        if others:
            found["compared"] = {name: scores.summary() for name, scores in others.items()}
        if self.analysis is not None:
            found["labels"] = self.analysis.summary()
        if self.tables:
            found["tables"] = list(self.tables)
        return found


def _micro(scores: EntityScores | None) -> dict[str, float] | None:
    if scores is None:
        return None
    return {"precision": scores.micro.precision, "recall": scores.micro.recall, "f1": scores.micro.f1}
