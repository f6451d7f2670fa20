"""The settings of AutoNER."""

from typing import Literal

from pydantic import Field

from trustag.crossfit.settings import FoldSettings
from trustag.recipes.sections import Count, Section, Share, advanced


class AutoNERSettings(Section):
    """What counts as a match, and how types are learned."""

    source: Literal["labels", "dictionary"] = Field(
        default="labels",
        description="entities as they are labelled, or wherever words stand that are labelled somewhere",
    )
    unknown_phrases: bool = Field(
        default=True, description="of capitalised phrases that are repeated and not labelled nothing is learned"
    )
    least_share: Share = advanced(0.3, "a type of words must have this share of their labels to enter the dictionary")
    least_repeats: Count = advanced(2, "occurrences that make a capitalised phrase one of high quality")
    type_loss: Literal["sum", "soft"] = advanced(
        "sum", "of several types: the probability of any, or their own shares as targets, as in the published code"
    )
    folds: FoldSettings = FoldSettings()
