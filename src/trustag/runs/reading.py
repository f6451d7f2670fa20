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

from trustag.errors import InputError, printable
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, read_json_lines
from trustag.issues.issue import Issue
from trustag.recipes.first_form import upgraded
from trustag.runs.folder import RunFolder, require_run
from trustag.runs.issue_files import read_given, read_issues
from trustag.runs.label_columns import RunLabels, read_columns, read_run_labels
from trustag.runs.records import (
    ChangeRecord,
    Choices,
    EpochReport,
    FoundRatesRecord,
    Manifest,
    RoundRecord,
    SearchPoint,
)
from trustag.text.sentences import Sentence, Source

T = TypeVar("T")

BASELINE: Final = "baseline (labels as given)"
REMEDY: Final = "take the file the run wrote"

_NEW_NAMES: Final = {
    "plain": "baseline",
    "apart": "by_group",
    "cut_names": "truncated_entities",
    "pinned": "fixed",
}
_LINE: Final = re.compile(r"line (\d+)")


class NothingToDrawError(InputError):
    """A run lacks what a figure shows; the message says what."""


@dataclass(frozen=True)
class RunFiles:
    """A run by what its files say, with a name to tell it from others; each file is read when asked for, once."""

    path: Path
    name: str

    def knowing(self, **known: object) -> "RunFiles":
        """Return the same run with some of its contents, by their names, at hand; these are not read again."""
        copy = RunFiles(self.path, self.name)
        copy.__dict__.update(known)
        return copy

    @property
    def folder(self) -> RunFolder:
        """The files of the run by name."""
        return RunFolder(self.path)

    @cached_property
    def manifest(self) -> Manifest:
        """What was run, on what, and what came out."""
        return _read_json(self.folder.manifest, Manifest)

    @cached_property
    def choices(self) -> Choices:
        """The settings of the run."""
        return _converted(self.upgraded_settings, Choices, self.folder.recipe)

    @cached_property
    def rates(self) -> FoundRatesRecord | None:
        """The noise rates with all that is known of them, once they were found."""
        path = self.folder.rates
        return _read_json(path, FoundRatesRecord) if path.exists() else None

    @cached_property
    def rounds(self) -> Sequence[RoundRecord]:
        """Every finished round of self-training."""
        return _read_lines(self.folder.rounds, RoundRecord)

    @cached_property
    def search(self) -> Sequence[SearchPoint]:
        """Every pair of noise rates that was tried, in the order of trying."""
        return _read_lines(self.folder.search, SearchPoint)

    @cached_property
    def changes(self) -> Sequence[ChangeRecord]:
        """Every label that a round changed."""
        return _read_lines(self.folder.changes, ChangeRecord)

    @cached_property
    def epochs(self) -> Sequence[EpochReport]:
        """The epochs of the model that the run kept."""
        return _read_lines(self.folder.metrics, EpochReport)

    def fold_epochs(self, number: int) -> list[Sequence[EpochReport]]:
        """Return the epochs of each fold model of a round, as far as they were begun."""
        found: list[Sequence[EpochReport]] = []
        for fold in count(1):
            epochs = _read_lines(self.folder.fold(number, fold).metrics, EpochReport)
            if not epochs:
                break
            found.append(epochs)
        return found

    @cached_property
    def given(self) -> tuple[Sentence, ...] | None:
        """The training corpus as the run took it in, where the run kept it."""
        return read_given(self.folder) if self.folder.given.exists() else None

    @cached_property
    def issues(self) -> tuple[Issue, ...] | None:
        """The label issues, worst first, where the run has looked for them."""
        return read_issues(self.folder, self.given) if self.folder.issues.exists() else None

    @cached_property
    def label_columns(self) -> dict[str, npt.NDArray[Any]] | None:
        """What was found of every training label as columns, where the run doubted labels."""
        table = self.folder.confidence
        return read_columns(table) if table.exists() else None

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Every setting of the run as it stands in the recipe, by section."""
        found = _read_toml(self.folder.recipe)
        for name, values in found.items():
            if not isinstance(values, dict):
                raise InputError(f"{name} = {values!r} is no table", where=self.folder.recipe, remedy=REMEDY)
        return found

    @cached_property
    def upgraded_settings(self) -> Mapping[str, Any]:
        """The same by today's names, so that runs of any version can be compared."""
        return upgraded(self.settings, to_train=False)

    @cached_property
    def labels(self) -> RunLabels | None:
        """What was found of every training label, where the run looked for wrong ones."""
        table = self.folder.confidence
        corpus = self.folder.relabelled
        return read_run_labels(table, corpus) if table.exists() and corpus.exists() else None

    @property
    def method(self) -> str:
        """How the run treated its labels, in a few words that tell the variants of the method apart."""
        method = self.choices.method
        if method.name == "bilstm-crf":
            return BASELINE
        if method.name != "confidence":
            return method.name
        if method.rates.source == "given" and method.rates.negative == method.rates.positive == 0:
            return "self-training"
        calibration = "" if method.calibration else ", no calibration"
        return f"confidence ({method.scoring}, {method.rates.source} rates{calibration})"

    @property
    def has_rounds(self) -> bool:
        """Whether the run trained in rounds of relabelling, finished or not."""
        return self.folder.rounds.exists() or self.folder.first_round.exists()


def open_runs(paths: Iterable[Path]) -> tuple[RunFiles, ...]:
    """Return the runs in these folders, each once, with names that differ; a folder without a manifest is no run."""
    runs: dict[str, RunFiles] = {}
    for path in {path.resolve(): path for path in paths}.values():
        require_run(path)
        name = printable(path.resolve().name)
        numbered = (f"{name}-{number}" for number in count(2))
        unique = name if name not in runs else next(other for other in numbered if other not in runs)
        runs[unique] = RunFiles(path, unique)
    return tuple(runs.values())


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(InputFile(path).text())
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        place = Source(str(path), int(line[1]) if line else None)
        raise InputError(f"is not valid TOML: {error}", where=place, remedy=REMEDY) from None


def _converted(values: Mapping[str, Any], kind: type[T], path: Path) -> T:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise InputError(str(error), where=path, remedy=REMEDY) from None


def _read_json(path: Path, kind: type[T]) -> T:
    where = Source(str(path), 1)
    values = decode(InputFile(path).read_bytes(), dict[str, Any], where, remedy=REMEDY)
    return decode(msgspec.json.encode(_renamed(values)), kind, where, remedy=REMEDY)


def _read_lines(path: Path, kind: type[T]) -> tuple[T, ...]:
    """Return the records of a JSON Lines file; none where there is no file or nothing in it."""
    if not path.exists() or not path.stat().st_size:
        return ()
    records = read_json_lines(InputFile(path), dict[str, Any])
    return tuple(
        decode(msgspec.json.encode(_renamed(record)), kind, Source(str(path), line), remedy=REMEDY)
        for line, record in records
    )


def _renamed(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with today's names for what the first version called otherwise."""
    return {
        _NEW_NAMES.get(name, name): _renamed(value) if isinstance(value, dict) else value
        for name, value in record.items()
    }
