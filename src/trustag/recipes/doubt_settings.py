"""Settings of the method: which labels are doubted, how noisy they are taken to be, how they are made anew."""

from typing import Literal

from pydantic import Field

from trustag.recipes.sections import Count, Positive, Section, Share


class ConfidenceSettings(Section):
    """Which labels the fold models trust while they train, and what a distrusted one still allows."""

    scoring: Literal["local", "global"] = Field(
        default="global", description="confidence from a token's own scores (eq. 4) or from all label paths (eq. 3)"
    )
    passes: Literal["training", "clean"] = Field(
        default="training", description="the pass that scores: the one trained on, or a second one without dropout"
    )
    idle_labels: bool = Field(
        default=False,
        description="local confidence competes with three untrained labels (padding, start, end), as in the code",
    )
    memory: Share = Field(
        default=0.5,
        description="weight of earlier epochs in the running mean of confidence; 0 takes the last pass alone",
    )
    prior: float = Field(
        default=0.0,
        ge=0,
        description="weight, beside that mean, of what the models believed from which noise rates were estimated",
    )
    ranking: Literal["epoch", "batch"] = Field(
        default="epoch",
        description="labels are ranked over the corpus when an epoch begins, or inside each batch as the paper does",
    )
    schedule: Literal["stepped", "smooth"] = Field(
        default="stepped", description="distrust grows from nothing in the first epoch (code) or from a step (text)"
    )
    ramp: Count = Field(default=5, description="epochs until the whole noise rate is distrusted")
    rounding: Literal["floor", "nearest", "stochastic"] = Field(
        default="nearest", description="of the number of labels that stay trusted; the paper's code rounds down"
    )
    calibration: bool = Field(
        default=True, description="a distrusted entity label keeps its position or its type; else it allows everything"
    )
    part_score: Literal["sum", "mean"] = Field(
        default="sum", description="how the evidence for position and type is added up: code, or text (eq. 6, 7)"
    )
    part_outside: bool = Field(default=True, description="whether O counts as evidence for both parts, as in the code")
    common_words: Literal["believed", "doubted"] = Field(
        default="believed",
        description="an entity label of a common word that begins a sentence (The, He): believed as others are, or "
        "told to fold models as O",
    )
    cut_names: Literal["believed", "doubted", "judged"] = Field(
        default="believed",
        description="an entity label of one word inside a longer run of capitalised words (Bill [Clinton]): believed "
        "as others are; told to no fold model; or as models say to which none of these was told",
    )
    tellings: int = Field(
        default=0,
        ge=0,
        description="how often in an epoch fold models are told that the same name is no entity; 0 tells each time",
    )
    token_loss: float = Field(
        default=0.0, ge=0, description="weight of a softmax loss on trusted tokens, which trains what local reads"
    )


class RateSettings(Section):
    """How much of the labels is wrong."""

    source: Literal["auto", "dev", "searched", "oracle", "given"] = Field(
        default="auto",
        description="estimated from the noisy labels alone; from what models of them get wrong on a clean dev split; "
        "searched on dev F1; measured on a gold column; or as given",
    )
    negative: Share = Field(default=0.0, description="given share of wrong O labels")
    positive: Share = Field(default=0.0, description="given share of wrong entity labels")
    apart: Literal["none", "type", "label"] = Field(
        default="none",
        description="entity labels with a rate of their own, where rates are estimated or known: each type, each label",
    )
    margin: Positive = Field(default=1.0, description="estimated and known rates are multiplied by this")
    estimate_epochs: Count = Field(default=4, description="epochs of the fold models that the estimate rests on")
    later: Literal["same", "fixed", "measured"] = Field(
        default="same",
        description="rates after the first round: the same; later_negative and later_positive; or measured each time",
    )
    later_negative: Share = Field(default=0.005, description="share of wrong O labels in later rounds")
    later_positive: Share = Field(default=0.15, description="share of wrong entity labels in later rounds")
    search: Literal["separate", "full"] = Field(
        default="separate", description="one rate after the other, or every pair of rates"
    )
    search_from: Share = Field(default=0.0, description="lowest rate searched")
    search_to: Share = Field(default=0.2, description="highest rate searched")
    search_step: Positive = Field(default=0.01, description="distance of the rates searched")
    search_positive_to: Share = Field(
        default=0.0, description="highest rate of wrong entity labels searched: distant ones may need 0.6; 0: search_to"
    )
    search_positive_step: float = Field(
        default=0.0, ge=0, description="distance of the rates of wrong entity labels searched; 0: search_step"
    )


class RoundSettings(Section):
    """Self-training: parts of the corpus relabelled by models that have not seen them."""

    count: int = Field(default=1, ge=0, description="rounds of relabelling; 0 trains on the labels as they are")
    folds: int = Field(
        default=2, ge=2, description="models that share the judging; each is not told a part of the labels"
    )
    hide: Literal["sentences", "names"] = Field(
        default="sentences",
        description="what a fold model is not told and judges: whole sentences (paper); or the labels of names, "
        "wherever they stand",
    )
    fold_epochs: int = Field(default=0, ge=0, description="epochs of the fold models; 0 is training.epochs")
    fold_vectors_learn: bool = Field(
        default=False, description="let the word vectors of fold models learn; frozen ones cannot memorise noise"
    )
    members: Count = Field(
        default=1, description="fold models a part, differing in their seed; their scores are averaged"
    )
    reannotate: Literal["outside", "untrusted", "all"] = Field(
        default="untrusted",
        description="labels that may change: those that were O (paper); also the least trusted entity labels; or all",
    )
    relabel: Literal["hard", "soft", "weighted"] = Field(
        default="soft",
        description="the final model learns the best labels; the probability of each (soft); or what it believes, "
        "weighted by that probability",
    )
    reshuffle: Count = Field(default=2, description="parts are drawn anew every so many rounds")
    baseline: bool = Field(
        default=True, description="also train on the labels as given, to show what the method changes"
    )
    final_confidence: bool = Field(default=False, description="distrust labels in the final model too")
    report: Literal["best", "last"] = Field(
        default="best", description="the round whose final model is kept: the best on dev, or the last"
    )
