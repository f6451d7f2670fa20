"""What a run says of itself in its files: read and checked, with every fault named by file and line."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Final, Literal, TypeVar

import msgspec
from msgspec import Struct

from trustag.errors import InputError, printable
from trustag.figures.run_labels import RunLabels, read_run_labels
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, read_json_lines
from trustag.text.labels import Label
from trustag.text.sentences import Source

T = TypeVar("T")

BELIEVING: Final = "believing every label"
REMEDY: Final = "take the file the run wrote"

_LINE: Final = re.compile(r"line (\d+)")


class NothingToDrawError(InputError):
    """A run lacks what a figure shows; the message says what."""


class Epoch(Struct, frozen=True):
    """One line of ``metrics.jsonl``: the dev F1 where there is a dev split, and what the objective found."""

    epoch: int
    f1: float | None = None
    facts: dict[str, float] = {}


class RoundLine(Struct, frozen=True):
    """One line of ``rounds.jsonl``."""

    round: int
    fold_dev_f1: tuple[float | None, ...]
    final_dev_f1: float | None
    changed: int


class SearchPoint(Struct, frozen=True):
    """One line of ``search.jsonl``: a pair of noise rates and the dev F1 reached with it."""

    negative: float
    positive: float
    dev_f1: float


class ChangeLine(Struct, frozen=True):
    """One line of ``changes.jsonl``, as far as figures need it."""

    round: int
    sentence: int
    token: int
    before: Label
    after: Label


class Score(Struct, frozen=True):
    """A score in the manifest."""

    f1: float


class Scores(Struct, frozen=True):
    """The scores of one model."""

    dev: Score | None = None
    test: Score | None = None


class LabelFacts(Struct, frozen=True):
    """What the manifest says of the labels: the round that was chosen and how many labels there are."""

    round: int
    labels: int


class DataChecksums(Struct, frozen=True):
    """What the manifest says of the data: a checksum of the training sentences."""

    train: str


class Manifest(Struct, frozen=True):
    """What was run and what came out, as far as figures need it."""

    data: DataChecksums
    dev: Score | None = None
    test: Score | None = None
    plain: Scores | None = None
    labels: LabelFacts | None = None

    @property
    def scores(self) -> Scores:
        """The scores of the model that the run kept."""
        return Scores(self.dev, self.test)


class RatePair(Struct, frozen=True):
    """The rate of wrong ``O`` labels (tau_n) and of wrong entity labels (tau_p)."""

    negative: float
    positive: float


class RateChoices(Struct, frozen=True):
    """The section ``rates`` of a recipe, as far as figures need it."""

    source: str = "auto"
    negative: float = 0.0
    positive: float = 0.0
    search: Literal["separate", "full"] = "separate"


class ConfidenceChoices(Struct, frozen=True):
    """The section ``confidence`` of a recipe, as far as figures need it."""

    scoring: str = "global"
    calibration: bool = True


class RoundChoices(Struct, frozen=True):
    """The section ``rounds`` of a recipe, as far as figures need it."""

    count: int = 1


class Choices(Struct, frozen=True):
    """The recipe of a run, as far as figures need it: recipes of other versions, with other settings, are read too."""

    rates: RateChoices = RateChoices()
    confidence: ConfidenceChoices = ConfidenceChoices()
    rounds: RoundChoices = RoundChoices()


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
        path = self.path / "recipe.toml"
        try:
            return msgspec.convert(tomllib.loads(InputFile(path).text()), Choices)
        except tomllib.TOMLDecodeError as error:
            line = _LINE.search(str(error))
            place = Source(str(path), int(line[1]) if line else None)
            raise InputError(f"is not valid TOML: {error}", where=place, remedy=REMEDY) from None
        except msgspec.ValidationError as error:
            raise InputError(str(error), where=path, remedy=REMEDY) from None

    @cached_property
    def rates(self) -> RatePair | None:
        """The noise rates, once they were found."""
        path = self.path / "rates.json"
        return _read_json(path, RatePair) if path.exists() else None

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


def _read_json(path: Path, kind: type[T]) -> T:
    return decode(InputFile(path).read_bytes(), kind, Source(str(path), 1), remedy=REMEDY)


def _read_lines(path: Path, kind: type[T]) -> tuple[T, ...]:
    """Return the records of a JSON Lines file; none where there is no file or nothing in it."""
    if not path.exists() or not path.stat().st_size:
        return ()
    return tuple(record for _, record in read_json_lines(InputFile(path), kind))
