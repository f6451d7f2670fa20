"""The records in the files of a run, as they are written and read; whatever else a file holds is ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from msgspec import Struct

from trustag.text.labels import Label, is_label
from trustag.text.numbers import Count, Measure, Probability


@dataclass(frozen=True, slots=True)
class EpochReport:
    """One line of ``metrics.jsonl``: a pass over the training sentences, its mean loss per sentence, its dev scores.

    ``is_best`` says whether it is the best so far, ``facts`` what the objective found worth logging.
    """

    epoch: Count
    loss: Measure
    precision: Probability | None = None
    recall: Probability | None = None
    f1: Probability | None = None
    is_best: bool = False
    epochs_since_best: Count = 0
    facts: dict[str, Measure] = field(default_factory=dict)


class RoundRecord(Struct, frozen=True):
    """One line of ``rounds.jsonl``: a round of self-training."""

    round: Count
    fold_dev_f1: tuple[Probability | None, ...]
    final_dev_f1: Probability | None
    changed: Count
    rates: "RatesRecord | None" = None
    fixed: Count | None = None
    fold_kept_epochs: tuple[Count, ...] = ()
    fold_distrusted: tuple[dict[str, Measure], ...] = ()
    final_kept_epoch: Count | None = None


class SearchPoint(Struct, frozen=True):
    """One line of ``search.jsonl``: a pair of noise rates and the dev F1 reached with it."""

    negative: Probability
    positive: Probability
    dev_f1: Probability


class ChangeRecord(Struct, frozen=True):
    """One line of ``changes.jsonl``."""

    round: Count
    sentence: Count
    token: Count
    before: Label
    after: Label
    score_before: Probability | None = None
    score_after: Probability | None = None
    text: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no label."""
        for label in (self.before, self.after):
            if label is not None and not is_label(label):
                raise ValueError(f"unknown tag {label!r}")


class Score(Struct, frozen=True):
    """A score in the manifest."""

    f1: Probability
    precision: Probability | None = None
    recall: Probability | None = None


class ScoresRecord(Struct, frozen=True):
    """The scores of one model."""

    dev: Score | None = None
    test: Score | None = None


class FoundWrong(Struct, frozen=True):
    """How well distrust found the wrong labels of a group: of ``support`` wrong ones and ``found`` distrusted."""

    correct: Count
    found: Count
    support: Count
    precision: Probability
    recall: Probability
    f1: Probability


class DetectionFacts(Struct, frozen=True):
    """How well the wrong ``O`` labels and the wrong entity labels were found, by the gold column."""

    negative: FoundWrong
    positive: FoundWrong


class LabelFacts(Struct, frozen=True):
    """What the manifest says of the labels: the round that was chosen, how many labels there are, what came out."""

    round: Count
    labels: Count
    changed: Count | None = None
    detection: DetectionFacts | None = None


class DataChecksums(Struct, frozen=True):
    """What the manifest says of the data: a checksum of the sentences of each split that there is."""

    train: str
    dev: str | None = None
    test: str | None = None


class KeptRecord(Struct, frozen=True):
    """What the manifest says of the choice between models: the name of the one that was kept, and why."""

    name: str
    reason: str


class Manifest(Struct, frozen=True):
    """What was run and what came out; a run that is not ``finished`` tells only what it began with."""

    data: DataChecksums
    trustag: str | None = None
    seed: int | None = None
    started: datetime | None = None
    finished: datetime | None = None
    best_epoch: Count | None = None
    dev: Score | None = None
    test: Score | None = None
    baseline: ScoresRecord | None = None
    method: str | None = None
    labels: LabelFacts | None = None
    rounds: tuple[ScoresRecord, ...] = ()
    kept: KeptRecord | None = None

    @property
    def relabelled(self) -> ScoresRecord | None:
        """The scores of the model of the new labels, where there is one and it was scored."""
        number = None if self.labels is None else self.labels.round
        return self.rounds[number - 1] if number is not None and 0 < number <= len(self.rounds) else None

    @property
    def scores(self) -> ScoresRecord:
        """The scores of the model that the run kept."""
        return ScoresRecord(self.dev, self.test)


class RatesRecord(Struct, frozen=True):
    """The noise rates of a round: of ``O`` labels (tau_n), of entity labels (tau_p), of single types or labels."""

    negative: Probability
    positive: Probability
    by_group: Mapping[str, Probability] = {}


class FoundRatesRecord(Struct, frozen=True):
    """``rates.json``: the noise rates of a run, where they come from, how sure they are."""

    source: str
    negative: Probability
    positive: Probability
    negative_interval: tuple[Probability, Probability] | None = None
    positive_interval: tuple[Probability, Probability] | None = None
    by_group: Mapping[str, Probability] = {}
    truncated_entities: "TruncatedRecord | None" = None
    kinds: "KindsRecord | None" = None
    pairs: Count = 0


class RateRecord(Struct, frozen=True):
    """A share of labels, and the range it can be expected in."""

    estimate: Probability
    low: Probability
    high: Probability


class KindsRecord(Struct, frozen=True):
    """The shares of labels with each kind of error: of the ``O`` labels, of the entity labels, and of each type's."""

    missed: RateRecord
    spurious: RateRecord
    type: RateRecord
    boundary: RateRecord
    by_type: Mapping[str, Mapping[str, RateRecord]] = {}


class TruncatedRecord(Struct, frozen=True):
    """What models that did not see them predict for entity labels on one word of a longer name: counts of each case."""

    labels: Count
    same: Count
    another: Count
    agreed: Probability = 0.0


class RateChoices(Struct, frozen=True):
    """The table ``method.rates`` of a recipe, as far as figures need it."""

    source: str = "auto"
    negative: Probability = 0.0
    positive: Probability = 0.0
    grid: "GridChoice | None" = None


class GridChoice(Struct, frozen=True):
    """How noise rates were searched: one after the other, or every pair."""

    pairs: bool = False


class MethodChoices(Struct, frozen=True):
    """The table ``method`` of a recipe, as far as figures need it."""

    name: str = "confidence"
    scoring: str = "global"
    calibration: bool = True
    rates: RateChoices = RateChoices()


class Choices(Struct, frozen=True):
    """The recipe of a run, as far as figures need it: recipes of other versions, with other settings, are read too."""

    method: MethodChoices = MethodChoices()
