"""Settings of the confidence method: which labels are trusted, how noisy they are, how they are made anew."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field

from trustag.confidence.calibration import PartScore
from trustag.confidence.probabilities import Scoring
from trustag.confidence.selection import Rounding, Schedule
from trustag.crossfit.settings import RoundParity, RoundSettings
from trustag.crossfit.tracking import ScoringPass
from trustag.noise_rates.gold_rates import RatesPer
from trustag.recipes.sections import Count, CountOrNone, Section, Share, advanced, as_tuple

Rate = Annotated[float, Field(ge=0, le=1)]
Range = Annotated[tuple[Rate, Rate, Rate], BeforeValidator(as_tuple)]


class RateGrid(BaseModel):
    """The noise rates that a search tries: lowest, highest and step, of ``O`` labels and of entity labels."""

    model_config = Section.model_config

    negative: Range = Field(default=(0.0, 0.2, 0.01), description="rates of wrong O labels: lowest, highest, step")
    positive: Range = Field(default=(0.0, 0.2, 0.01), description="rates of wrong entity labels: lowest, highest, step")
    pairs: bool = Field(default=False, description="try every pair; otherwise one rate after the other")


class RateSettings(Section):
    """How much of the labels is wrong."""

    source: Literal["auto", "dev", "searched", "oracle", "given"] = Field(
        default="auto",
        description="estimated from the noisy labels alone; from the errors that models of them make on a clean dev "
        "split; searched on dev F1; measured on a gold column; or as given",
    )
    negative: Share = Field(default=0.0, description="share of wrong O labels, if source is given")
    positive: Share = Field(default=0.0, description="share of wrong entity labels, if source is given")
    rates_per: RatesPer = Field(
        default="label", description="one rate for all entity labels, one per type, or one per label"
    )
    estimate_epochs: Count = advanced(8, "epochs of the fold models that the estimate rests on")
    grid: RateGrid = Field(
        default=RateGrid(),
        description="the rates a search tries: { negative = [lowest, highest, step], positive = [...], pairs = false }",
    )


class ConfidenceParity(RoundParity):
    """Switches that repeat what the published code, or the text of the paper, does."""

    ranking: Literal["epoch", "batch"] = advanced(
        "epoch", "labels are ranked over the corpus when an epoch begins, or within each batch as in the paper"
    )
    scoring_pass: ScoringPass = advanced("training", "the pass that scores: the training pass, or one without dropout")
    untrained_labels: bool = advanced(
        default=False, description="local confidence competes with three untrained labels, as in the published code"
    )
    schedule: Schedule = advanced(
        "stepped", "distrust grows from nothing in the first epoch (code) or from a step (text)"
    )
    rounding: Rounding = advanced(
        "nearest", "of the number of labels that stay trusted; the published code rounds down"
    )
    part_score: PartScore = advanced("sum", "how evidence for position and type is added up: code, or text (eq. 6, 7)")
    part_outside: bool = advanced(default=True, description="whether O counts for both parts, as in the code")
    later_rates: Literal["same", "fixed", "measured"] = advanced(
        "same", "rates after the first round: the same; later_negative and later_positive; or measured on gold"
    )
    later_negative: Share = advanced(0.005, "share of wrong O labels in later rounds, if fixed")
    later_positive: Share = advanced(0.15, "share of wrong entity labels in later rounds, if fixed")
    final_confidence: bool = advanced(default=False, description="distrust labels in the final model too")


class ConfidenceSettings(Section):
    """Which labels the fold models trust while they train, and what a distrusted label still allows."""

    scoring: Scoring = Field(
        default="global", description="confidence from a token's own scores (eq. 4) or from all label sequences (eq. 3)"
    )
    ema_decay: Share = advanced(0.5, "weight of earlier epochs in the running mean of confidence; 0: last pass alone")
    ramp_epochs: Count = advanced(6, "epochs until the whole noise rate is distrusted")
    calibration: bool = Field(
        default=True, description="a distrusted entity label keeps its position or its type; else it allows everything"
    )
    sentence_initial_words: Literal["visible", "as O"] = Field(
        default="as O",
        description="entity labels of common words that begin a sentence (The, He): visible to models, or shown as O",
    )
    truncated_entities: Literal["visible", "hidden", "auto"] = Field(
        default="auto",
        description="entity labels on one word of a longer run of capitalised words (Bill [Clinton]): visible to fold "
        "models, hidden, or as models decide that did not see them",
    )
    negatives_per_name: CountOrNone = Field(
        default=5, description="most O occurrences of a name used per epoch (0: all)"
    )
    rates: RateSettings = RateSettings()
    rounds: RoundSettings = RoundSettings()
    parity: ConfidenceParity = ConfidenceParity()
