"""Training dynamics: dev F1, confidence in correct and wrong labels, and detection of wrong labels, by epoch."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from trustag.runs.reading import NothingToDrawError, RunFiles
from trustag.runs.records import EpochReport

# Key of a confidence or detection curve in metrics: the labels it is about
CONFIDENCE: Final = {
    "clean_negative": "clean O labels",
    "noisy_negative": "wrong O labels",
    "clean_positive": "clean entity labels",
    "noisy_positive": "wrong entity labels",
}
DETECTION: Final = {"negative": "wrong O labels", "positive": "wrong entity labels"}

_NO_DEV: Final = "dev F1: the run had no dev split"
_NO_DOUBT: Final = "confidence and detection: the model trusts every label"
_NO_GOLD: Final = "confidence in correct and wrong labels, detection: no gold column"


@dataclass(frozen=True, slots=True)
class Curve:
    """Values by epoch: the mean, lowest and highest of several models."""

    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TrainingDynamics:
    """Training curves over ``epochs`` (counted from 1), each the mean over ``models`` models.

    ``confidence`` has the keys of ``CONFIDENCE``: the mean probability of correct and wrong ``O`` and entity labels.
    ``detection_f1`` has those of ``DETECTION``. Curves without data are absent, and ``lacking`` says why.
    """

    run: str
    trained: str
    models: int
    epochs: tuple[int, ...]
    dev_f1: Curve | None
    confidence: Mapping[str, Curve]
    detection_f1: Mapping[str, Curve]
    lacking: tuple[str, ...]


def training_dynamics(run: RunFiles, number: int = 1) -> TrainingDynamics:
    """Return the curves of the fold models of round ``number``; of a run without rounds, those of its only model."""
    models, trained = run.fold_epochs(number), f"fold models of round {number}"
    if not run.has_rounds and run.epochs:
        models, trained = [run.epochs], "the model"
    if not models:
        raise NothingToDrawError(f"no epoch of round {number} is finished", where=run.path)
    reached, longest = min(map(len, models)), max(map(len, models))
    lacking = [f"epochs after {reached}: not every fold model reached them"] if longest > reached else []
    dev_f1 = _curve(models, lambda epoch: epoch.f1)
    if dev_f1 is None:
        lacking.append(_NO_DEV)
    confidence, detection_f1 = _label_curves(models, lacking)
    if dev_f1 is None and not confidence:
        raise NothingToDrawError("; ".join(lacking), where=run.path)
    return TrainingDynamics(
        run=run.name,
        trained=trained,
        models=len(models),
        epochs=tuple(epoch.epoch + 1 for epoch in models[0][:reached]),
        dev_f1=dev_f1,
        confidence=confidence,
        detection_f1=detection_f1,
        lacking=tuple(lacking),
    )


def _label_curves(
    models: Sequence[Sequence[EpochReport]], lacking: list[str]
) -> tuple[dict[str, Curve], dict[str, Curve]]:
    """Return the curves of confidence and detection; what is missing is added to ``lacking``."""
    if not all(epoch.facts for epochs in models for epoch in epochs):
        lacking.append(_NO_DOUBT)
        return {}, {}
    confidence = {key: curve for key in CONFIDENCE if (curve := _fact(models, f"confidence_{key}"))}
    if not confidence:
        lacking.append(_NO_GOLD)
    # The mean of no labels is recorded as 0, which a mean of probabilities never is.
    for key in [key for key, curve in confidence.items() if not any(curve.high)]:
        del confidence[key]
        lacking.append(f"confidence in {CONFIDENCE[key]}: there are none")
    found = {key: _fact(models, f"detection_f1_{key}") for key in DETECTION if f"noisy_{key}" in confidence}
    return confidence, {key: curve for key, curve in found.items() if curve}


def _fact(models: Sequence[Sequence[EpochReport]], name: str) -> Curve | None:
    return _curve(models, lambda epoch: epoch.facts.get(name))


def _curve(models: Sequence[Sequence[EpochReport]], value: Callable[[EpochReport], float | None]) -> Curve | None:
    """Return the curve over the epochs that all models reached; None if a value is missing."""
    columns = []
    for epochs in zip(*models, strict=False):
        values = [number for number in map(value, epochs) if number is not None]
        if len(values) < len(models):
            return None
        columns.append(values)
    return Curve(tuple(map(fmean, columns)), tuple(map(min, columns)), tuple(map(max, columns)))
