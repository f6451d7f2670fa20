"""F1 by noise level over several runs: a line per method, the level being the recall of the labels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, Literal, TypeAlias

from trustag.runs.reading import BASELINE, NothingToDrawError, RunFiles
from trustag.runs.records import ScoresRecord

Split: TypeAlias = Literal["test", "dev"]

# Another perturbation seed changes the recall slightly; that is the same level.
_SAME_LEVEL: Final = 0.02
_UNKNOWN: Final = "the noise of its labels is unknown (no finished run on them relabels and has a gold column)"


@dataclass(frozen=True, slots=True)
class Measurement:
    """The F1 of one model, trained on labels with this entity ``recall``."""

    run: str
    method: str
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """Mean, lowest and highest F1 of the models of one method at one level."""

    recall: float
    models: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class NoiseLevels:
    """All measurements, the split they are on, the line of each method, and what is missing."""

    split: Split
    measurements: tuple[Measurement, ...]
    lines: Mapping[str, tuple[LevelPoint, ...]]
    lacking: tuple[str, ...]


def noise_levels(runs: Sequence[RunFiles]) -> NoiseLevels:
    """Return the F1 of every run, and of its baseline model, by the entity recall of its training labels.

    The recall is measured on the gold column, possibly that of another run on the same training data. The split is
    test, unless more runs have dev scores.
    """
    recalls = _recalls(runs)
    split: Split = "test" if _scored(runs, "test") >= _scored(runs, "dev") else "dev"
    found: list[Measurement] = []
    lacking = []
    for run in runs:
        recall, f1 = recalls.get(run.manifest.data.train), _f1(run.manifest.scores, split)
        if recall is None:
            lacking.append(f"{run.name}: {_UNKNOWN}")
        elif f1 is None:
            lacking.append(f"{run.name}: no {split} score")
        else:
            found.append(Measurement(run.name, run.method, recall, f1))
            plain = _f1(run.manifest.baseline, split)
            if plain is not None:
                found.append(Measurement(run.name, BASELINE, recall, plain))
    lines = _lines(found)
    if len({point.recall for line in lines.values() for point in line}) < 2:
        reasons = "; ".join(lacking)
        raise NothingToDrawError(f"runs at two or more noise levels are needed{f' ({reasons})' if reasons else ''}")
    return NoiseLevels(split, tuple(found), lines, tuple(lacking))


def _recalls(runs: Sequence[RunFiles]) -> dict[str, float]:
    """Return the entity recall of the labels by checksum of the training data, where a run has gold labels."""
    known: dict[str, float] = {}
    for run in runs:
        data = run.manifest.data.train
        if data not in known and run.labels is not None and run.labels.has_gold:
            known[data] = run.labels.noise().entities.recall
    return known


def _lines(measurements: Sequence[Measurement]) -> dict[str, tuple[LevelPoint, ...]]:
    """Return the measurements of each method by level; a level is represented by its lowest recall."""
    level = _levels(entry.recall for entry in measurements)
    groups: dict[str, dict[float, list[float]]] = {}
    for entry in measurements:
        groups.setdefault(entry.method, {}).setdefault(level[entry.recall], []).append(entry.f1)
    return {
        method: tuple(LevelPoint(recall, len(f1), fmean(f1), min(f1), max(f1)) for recall, f1 in sorted(own.items()))
        for method, own in groups.items()
    }


def _levels(recalls: Iterable[float]) -> dict[float, float]:
    """Return the level of each recall: the lowest recall close to it."""
    levels: dict[float, float] = {}
    level = float("-inf")
    for recall in sorted(recalls):
        if recall - level > _SAME_LEVEL:
            level = recall
        levels[recall] = level
    return levels


def _scored(runs: Sequence[RunFiles], split: Split) -> int:
    return sum(_f1(run.manifest.scores, split) is not None for run in runs)


def _f1(scores: ScoresRecord | None, split: Split) -> float | None:
    score = getattr(scores, split, None)
    return score.f1 if score is not None else None
