"""The records in the files of a run, as far as figures and reports need them; whatever else they hold is ignored."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from msgspec import Struct

from trustag.text.labels import Label


class Epoch(Struct, frozen=True):
    """One line of ``metrics.jsonl``: the dev F1 where there is a dev split, and what the objective found."""

    epoch: int
    loss: float | None = None
    f1: float | None = None
    facts: dict[str, float] = {}


class RoundLine(Struct, frozen=True):
    """One line of ``rounds.jsonl``."""

    round: int
    fold_dev_f1: tuple[float | None, ...]
    final_dev_f1: float | None
    changed: int
    rates: "RatePair | None" = None
    pinned: int | None = None


class SearchPoint(Struct, frozen=True):
    """One line of ``search.jsonl``: a pair of noise rates and the dev F1 reached with it."""

    negative: float
    positive: float
    dev_f1: float


class ChangeLine(Struct, frozen=True):
    """One line of ``changes.jsonl``."""

    round: int
    sentence: int
    token: int
    before: Label
    after: Label
    score_before: float | None = None
    score_after: float | None = None


class Score(Struct, frozen=True):
    """A score in the manifest."""

    f1: float
    precision: float | None = None
    recall: float | None = None


class Scores(Struct, frozen=True):
    """The scores of one model."""

    dev: Score | None = None
    test: Score | None = None


class FoundWrong(Struct, frozen=True):
    """How well distrust found the wrong labels of a group: of ``support`` wrong ones and ``found`` distrusted."""

    correct: int
    found: int
    support: int
    precision: float
    recall: float
    f1: float


class DetectionFacts(Struct, frozen=True):
    """How well the wrong ``O`` labels and the wrong entity labels were found, by the gold column."""

    negative: FoundWrong
    positive: FoundWrong


class LabelFacts(Struct, frozen=True):
    """What the manifest says of the labels: the round that was chosen, how many labels there are, what came out."""

    round: int
    labels: int
    changed: int | None = None
    detection: DetectionFacts | None = None


class DataChecksums(Struct, frozen=True):
    """What the manifest says of the data: a checksum of the sentences of each split that there is."""

    train: str
    dev: str | None = None
    test: str | None = None


class Manifest(Struct, frozen=True):
    """What was run and what came out; a run that is not ``finished`` tells only what it began with."""

    data: DataChecksums
    trustag: str | None = None
    seed: int | None = None
    started: datetime | None = None
    finished: datetime | None = None
    best_epoch: int | None = None
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


class FoundRates(Struct, frozen=True):
    """The noise rates of a run: where they come from, how sure they are, and those of single types or labels."""

    source: str
    negative: float
    positive: float
    negative_interval: tuple[float, float] | None = None
    positive_interval: tuple[float, float] | None = None
    apart: Mapping[str, float] = {}
    cut_names: "CutNamesFacts | None" = None


class CutNamesFacts(Struct, frozen=True):
    """What models that were told none said of labels of one word of a longer name, and how many there are."""

    labels: int
    same: int
    another: int


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
