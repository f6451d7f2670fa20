"""What a run says of itself in its files: read and checked, with every fault named by file and line."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import numpy.typing as npt

from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import InputError, printable
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, read_json_lines
from trustag.issues.files import read_issues
from trustag.issues.issue import Issue
from trustag.notes import unwatched
from trustag.runs.label_columns import RunLabels, read_columns, read_run_labels
from trustag.runs.records import (
    ChangeLine,
    Choices,
    Epoch,
    FoundRates,
    Manifest,
    RatePair,
    RoundLine,
    SearchPoint,
)
from trustag.text.sentences import Sentence, Source

T = TypeVar("T")

BELIEVING: Final = "believing every label"
REMEDY: Final = "take the file the run wrote"

_LINE: Final = re.compile(r"line (\d+)")


class NothingToDrawError(InputError):
    """A run lacks what a figure shows; the message says what."""


@dataclass(frozen=True)
class RunFiles:
    """A run by what its files say, with a name to tell it from others; each file is read when asked for, once."""

    path: Path
    name: str

    @cached_property
    def manifest(self) -> Manifest:
        """What was run, on what, and what came out."""
        return _read_json(self.path / "manifest.json", Manifest)

    @cached_property
    def choices(self) -> Choices:
        """The settings of the run."""
        return _read_toml(self.path / "recipe.toml", Choices)

    @cached_property
    def rates(self) -> RatePair | None:
        """The noise rates, once they were found."""
        path = self.path / "rates.json"
        return _read_json(path, RatePair) if path.exists() else None

    @cached_property
    def found_rates(self) -> FoundRates | None:
        """The noise rates with all that is known of them, once they were found."""
        path = self.path / "rates.json"
        return _read_json(path, FoundRates) if path.exists() else None

    @cached_property
    def rounds(self) -> Sequence[RoundLine]:
        """Every finished round of self-training."""
        return _read_lines(self.path / "rounds.jsonl", RoundLine)

    @cached_property
    def search(self) -> Sequence[SearchPoint]:
        """Every pair of noise rates that was tried, in the order of trying."""
        return _read_lines(self.path / "search.jsonl", SearchPoint)

    @cached_property
    def changes(self) -> Sequence[ChangeLine]:
        """Every label that a round changed."""
        return _read_lines(self.path / "changes.jsonl", ChangeLine)

    @cached_property
    def epochs(self) -> Sequence[Epoch]:
        """The epochs of the model that the run kept."""
        return _read_lines(self.path / "metrics.jsonl", Epoch)

    def fold_epochs(self, number: int) -> list[Sequence[Epoch]]:
        """Return the epochs of each fold model of a round, as far as they were begun."""
        found: list[Sequence[Epoch]] = []
        for fold in count(1):
            epochs = _read_lines(self.path / "jobs" / f"round-{number}" / f"fold-{fold}" / "metrics.jsonl", Epoch)
            if not epochs:
                break
            found.append(epochs)
        return found

    @cached_property
    def given(self) -> tuple[Sentence, ...] | None:
        """The training corpus as the run took it in, where the run kept it."""
        path = self.path / "given.jsonl"
        return tuple(stream(str(path), CorpusOptions("jsonl"), unwatched)) if path.exists() else None

    @cached_property
    def issues(self) -> tuple[Issue, ...] | None:
        """The label issues, worst first, where the run has looked for them."""
        path = self.path / "issues.jsonl"
        return read_issues(path) if path.exists() else None

    @cached_property
    def judgements(self) -> dict[str, npt.NDArray[Any]] | None:
        """What was found of every training label as columns, where the run doubted labels."""
        table = self.path / "confidence.npz"
        return read_columns(table) if table.exists() else None

    @cached_property
    def settings(self) -> Mapping[str, Mapping[str, Any]]:
        """Every setting of the run as it stands in the recipe, by section."""
        return _read_toml(self.path / "recipe.toml", dict[str, dict[str, Any]])

    @cached_property
    def labels(self) -> RunLabels | None:
        """What was found of every training label, where the run doubted labels."""
        table = self.path / "confidence.npz"
        lines, text = self.path / "relabelled.jsonl", self.path / "relabelled.conll"
        corpus = lines if lines.exists() else text
        return read_run_labels(table, corpus) if table.exists() and corpus.exists() else None

    @property
    def method(self) -> str:
        """How the run treated its labels, in a few words that tell the variants of the method apart."""
        rates, confidence = self.choices.rates, self.choices.confidence
        if not self.choices.rounds.count:
            return BELIEVING
        if rates.source == "given" and rates.negative == rates.positive == 0:
            return "self-training without doubt"
        calibration = "" if confidence.calibration else ", no calibration"
        return f"confidence ({confidence.scoring}, {rates.source} rates{calibration})"


def open_runs(paths: Iterable[Path]) -> tuple[RunFiles, ...]:
    """Return the runs in these folders, each once, with names that differ; a folder without a manifest is no run."""
    runs: dict[str, RunFiles] = {}
    for path in {path.resolve(): path for path in paths}.values():
        if not (path / "manifest.json").is_file():
            raise InputError(
                "is no run: it holds no manifest.json", where=path, remedy="name a folder of trustag train"
            )
        name = printable(path.resolve().name)
        numbered = (f"{name}-{number}" for number in count(2))
        unique = name if name not in runs else next(other for other in numbered if other not in runs)
        runs[unique] = RunFiles(path, unique)
    return tuple(runs.values())


def _read_toml(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.convert(tomllib.loads(InputFile(path).text()), kind)
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        place = Source(str(path), int(line[1]) if line else None)
        raise InputError(f"is not valid TOML: {error}", where=place, remedy=REMEDY) from None
    except msgspec.ValidationError as error:
        raise InputError(str(error), where=path, remedy=REMEDY) from None


def _read_json(path: Path, kind: type[T]) -> T:
    return decode(InputFile(path).read_bytes(), kind, Source(str(path), 1), remedy=REMEDY)


def _read_lines(path: Path, kind: type[T]) -> tuple[T, ...]:
    """Return the records of a JSON Lines file; none where there is no file or nothing in it."""
    if not path.exists() or not path.stat().st_size:
        return ()
    return tuple(record for _, record in read_json_lines(InputFile(path), kind))
