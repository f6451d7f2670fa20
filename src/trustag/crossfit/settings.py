"""Settings of cross-fitted self-training, which several methods share."""

from typing import Literal, TypeAlias

from pydantic import Field

from trustag.recipes.sections import MOST, Count, CountOrNone, Section, advanced

FoldLabels: TypeAlias = Literal["hard", "soft"]
Reannotate: TypeAlias = Literal["outside", "untrusted", "all"]


class FoldSettings(Section):
    """Models that predict the part of the corpus that they were not trained on."""

    count: int = Field(default=2, ge=2, le=MOST, description="number of cross-validation folds")
    epochs: CountOrNone = Field(default=12, description="epochs of the fold models; 0: training.epochs")
    finetune_vectors: bool = advanced(
        default=False, description="fine-tune the word vectors of fold models; frozen ones cannot memorise noise"
    )


class RoundSettings(Section):
    """Self-training: every part of the corpus is relabelled by a model that was trained on the other parts."""

    count: Count = Field(default=1, description="rounds of relabelling")
    folds: int = Field(default=2, ge=2, le=MOST, description="number of cross-validation folds")
    fold_epochs: CountOrNone = Field(default=12, description="epochs of the fold models; 0: training.epochs")
    fold_finetune_vectors: bool = advanced(
        default=False, description="fine-tune the word vectors of fold models; frozen ones cannot memorise noise"
    )
    reannotate: Reannotate = Field(
        default="untrusted",
        description="labels that may change: those that were O (paper); also the least trusted entity labels; or all",
    )
    relabel: Literal["hard", "soft", "weighted"] = Field(
        default="weighted",
        description="the final model learns the best labels; their probabilities; or its own choice, weighted by these",
    )
    baseline: bool = Field(
        default=True, description="also train on the labels as given, to compare, and to keep the better model"
    )
    dev_as_trusted: bool = Field(
        default=False,
        description="learn from dev too, as from trusted sentences; its F1 is then that of models of its other half",
    )


class RoundParity(Section):
    """How the published code runs its rounds."""

    reshuffle: Count = advanced(2, "folds are drawn anew every so many rounds")
    kept_model: Literal["better", "new labels"] = advanced(
        "better", "the model that is kept: that of the new labels only where it is better than the baseline, or always"
    )
    starts: Literal["continued", "fresh"] = advanced(
        "fresh",
        "trainings start anew, or from models of the noise rates or a fold where there are such, in half the epochs",
    )
    kept_round: Literal["best", "last"] = advanced("best", "the round whose final model is kept: best on dev, or last")
