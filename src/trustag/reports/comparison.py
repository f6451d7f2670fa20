"""A comparison of runs: scores and findings of each, settings that differ, and averages over seeds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import msgspec

from trustag.runs.reading import RunFiles
from trustag.runs.records import FoundRatesRecord, Manifest

_SEED: Final = "training.seed"


@dataclass(frozen=True, slots=True)
class RunNumbers:
    """Scores and findings of one run; None where the run has no data. Scores, rates and shares are from 0 to 1.

    ``data`` identifies the data: equal letters for train, dev and test mean equal sentences and labels. ``plain``
    scores are those of the baseline, trained on the labels as given; ``measured`` rates are those of the gold column;
    ``detection`` is the F1 of detecting wrong labels.
    """

    name: str
    path: str
    method: str
    seed: int | None
    data: str
    dev_f1: float | None
    dev_f1_plain: float | None
    test_f1: float | None
    test_f1_plain: float | None
    negative_rate: float | None
    negative_interval: tuple[float, float] | None
    negative_measured: float | None
    positive_rate: float | None
    positive_interval: tuple[float, float] | None
    positive_measured: float | None
    labels: int | None
    changed: int | None
    negative_detection: float | None
    positive_detection: float | None
    issues: int | None
    seconds: float | None
    version: str | None


@dataclass(frozen=True, slots=True)
class SeedGroup:
    """Runs that differ only in the seed: mean, lowest and highest F1."""

    runs: tuple[str, ...]
    dev_f1: tuple[float, float, float] | None
    test_f1: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs, the settings in which they differ (one value per run, None where it lacks the setting), seed groups."""

    runs: tuple[RunNumbers, ...]
    differing: Mapping[str, tuple[Any, ...]]
    seeds: tuple[SeedGroup, ...]


def compare_runs(runs: Sequence[RunFiles]) -> Comparison:
    """Return the numbers of all runs and the settings in which they differ."""
    names = _data_names(runs)
    numbers = tuple(_numbers(run, data) for run, data in zip(runs, names, strict=True))
    settings = [dict(_flat(run.upgraded_settings)) for run in runs]
    keys = dict.fromkeys(key for own in settings for key in own)
    differing = {key: tuple(own.get(key) for own in settings) for key in keys}
    differing = {key: values for key, values in differing.items() if any(value != values[0] for value in values)}
    return Comparison(numbers, differing, _seed_groups(numbers, settings))


def _numbers(run: RunFiles, data: str) -> RunNumbers:
    manifest: Manifest = run.manifest
    facts, plain = manifest.labels, manifest.baseline
    rates: FoundRatesRecord | None = run.rates
    noise = run.labels.noise() if run.labels is not None and run.labels.has_gold else None
    detection = facts.detection if facts is not None else None
    times = manifest.started, manifest.finished
    return RunNumbers(
        name=run.name,
        path=str(run.path),
        method=run.method,
        seed=manifest.seed,
        data=data,
        dev_f1=manifest.dev.f1 if manifest.dev else None,
        dev_f1_plain=plain.dev.f1 if plain and plain.dev else None,
        test_f1=manifest.test.f1 if manifest.test else None,
        test_f1_plain=plain.test.f1 if plain and plain.test else None,
        negative_rate=rates.negative if rates else None,
        negative_interval=rates.negative_interval if rates else None,
        negative_measured=noise.tau_n if noise else None,
        positive_rate=rates.positive if rates else None,
        positive_interval=rates.positive_interval if rates else None,
        positive_measured=noise.tau_p if noise else None,
        labels=facts.labels if facts else None,
        changed=facts.changed if facts else None,
        negative_detection=detection.negative.f1 if detection else None,
        positive_detection=detection.positive.f1 if detection else None,
        issues=len(run.issues) if run.issues is not None else None,
        seconds=(times[1] - times[0]).total_seconds() if times[0] and times[1] else None,
        version=manifest.trustag,
    )


def _data_names(runs: Sequence[RunFiles]) -> list[str]:
    """Return letters for the train, dev and test data of each run, a dash where a split is absent."""
    letters: dict[str, dict[str, str]] = {"train": {}, "dev": {}, "test": {}}
    names = []
    for run in runs:
        own = []
        for split, known in letters.items():
            checksum = getattr(run.manifest.data, split)
            own.append("-" if checksum is None else known.setdefault(checksum, _letter(len(known))))
        names.append(" ".join(own))
    return names


def _letter(number: int) -> str:
    """Return A, B … Z, then A1 and so on.

    >>> _letter(1), _letter(26)
    ('B', 'A1')
    """
    turn, index = divmod(number, 26)
    return chr(ord("A") + index) + (str(turn) if turn else "")


def _flat(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every setting by its dotted name."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _seed_groups(numbers: Sequence[RunNumbers], settings: Sequence[Mapping[str, Any]]) -> tuple[SeedGroup, ...]:
    """Return the groups of two or more runs on the same data with the same settings except the seed."""
    groups: dict[bytes, list[RunNumbers]] = {}
    for run, own in zip(numbers, settings, strict=True):
        rest = {key: value for key, value in sorted(own.items()) if key != _SEED}
        groups.setdefault(msgspec.json.encode([run.data, rest]), []).append(run)
    return tuple(
        SeedGroup(
            tuple(run.name for run in group),
            _range([run.dev_f1 for run in group]),
            _range([run.test_f1 for run in group]),
        )
        for group in groups.values()
        if len(group) > 1
    )


def _range(values: Sequence[float | None]) -> tuple[float, float, float] | None:
    known = [value for value in values if value is not None]
    return (fmean(known), min(known), max(known)) if len(known) == len(values) else None
