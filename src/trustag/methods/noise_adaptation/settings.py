"""The settings of noise adaptation."""

from typing import Literal

from pydantic import Field

from trustag.recipes.sections import Count, CountOrNone, PositiveOrNone, Section, Share, advanced


class NoiseAdaptationSettings(Section):
    """The confusion matrix: what it depends on, where it starts, and how it is kept from taking over."""

    layer: Literal["global", "feature"] = Field(
        default="global", description="one confusion matrix for all tokens, or one computed from the features of each"
    )
    start: Literal["identity", "paired", "pretrained", "random"] = Field(
        default="identity",
        description="the matrix before training: near the identity; counted on sentences that are labelled twice, "
        "without such on clean dev labels and what a model of the noisy ones predicts (paired); counted on predictions "
        "of that model and the noisy labels (pretrained); or random",
    )
    epsilon: Share = advanced(0.1, "probability that an identity start spreads over all labels")
    anchor: PositiveOrNone = Field(default=0.0, description="reward at each token for the trace of the matrix")
    frozen_epochs: CountOrNone = Field(default=2, description="first epochs of training.epochs with a fixed matrix")
    clean_share: Share = Field(
        default=0.3, description="share of dev that a paired start is counted on; the rest selects the epoch"
    )
    pretrain_epochs: Count = Field(default=5, description="epochs of the model that a paired or pretrained start uses")
