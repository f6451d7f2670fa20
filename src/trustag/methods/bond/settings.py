"""The settings of BOND."""

from typing import Literal

from pydantic import Field

from trustag.recipes.sections import CountOrNone, Section, Share


class BONDSettings(Section):
    """The two stages, and what the student learns from its teacher."""

    early_share: float = Field(
        default=0.5, gt=0, le=1, description="stage one: share of training.epochs; its best epoch on dev goes on"
    )
    student_share: float = Field(
        default=0.5, ge=0, le=1, description="stage two: share of training.epochs; 0: stage one alone"
    )
    pseudo_labels: Literal["soft", "hard"] = Field(
        default="soft", description="the student learns sharpened probabilities of its teacher, or its best labels"
    )
    threshold: Share = Field(default=0.9, description="soft labels that are less sure are not learned")
    period: CountOrNone = Field(
        default=0, description="steps until the student becomes the new teacher; 0: a tenth of those of stage two"
    )
    divergence: Literal["softmax", "logits"] = Field(
        default="softmax",
        description="what the divergence of soft labels is from; logits: no softmax, as published",
    )
