"""The settings of constrained binary learning."""

from typing import Literal, TypeAlias

from pydantic import Field

from trustag.crossfit.settings import FoldSettings
from trustag.recipes.sections import Count, Section, Share, advanced

InitialWeights: TypeAlias = Literal["raw", "combined"]


class CBLSettings(Section):
    """Constrained binary learning: the ratio of entity tokens, and the binary rounds that lead up to it."""

    entity_ratio: Share = Field(
        default=0.0, description="share of all tokens that are part of an entity; 0: from elsewhere"
    )
    ratio_source: Literal["auto", "given", "dev", "gold", "estimated"] = Field(
        default="auto",
        description="where the ratio comes from: entity_ratio, dev, the gold column, or out-of-fold predictions of the "
        "labels; auto: the first of them there is",
    )
    ratio_margin: Share = advanced(0.05, "the last round stays below the entity ratio plus this margin")
    ratio_step: float = advanced(0.02, "by how much the share of entity tokens grows each round", ge=0.001, lt=1)
    binary_epochs: Count = Field(default=25, description="epochs of each binary tagger, at most")
    initial_weights: InitialWeights = Field(
        default="raw",
        description="weights of O labels in the first round: full, or combined: lower for rare words",
    )
    estimated_rounds: Count = advanced(5, "binary rounds where the ratio is estimated, whatever the step")
    folds: FoldSettings = FoldSettings()
