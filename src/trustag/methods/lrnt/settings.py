"""The settings of LRNT."""

from pydantic import Field

from trustag.recipes.sections import Count, Section, advanced


class LRNTSettings(Section):
    """Which sentences train which stage, and which ``O`` labels are certain."""

    consistency: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="good sentences: mean share of the same words with the same label, at least",
    )
    good_sentences: float = Field(
        default=0.4,
        gt=0,
        le=1,
        description="good sentences: share of the corpus, at most; the most densely labelled ones",
    )
    outside_ratio: float = Field(default=0.9, ge=0, le=1, description="share of a sentence's O labels that are certain")
    redraw_epochs: Count = advanced(2, "epochs of training.epochs after which they are drawn anew")
    classifier_share: float = Field(
        default=0.4, ge=0, le=1, description="classifier of the other sentences: share of training.epochs; 0: none"
    )
