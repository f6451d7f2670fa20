"""Whether to believe entity labels of one word of a longer name: as models say that were told none of them.

A dictionary of first names labels *Bill* in *Bill Clinton* wherever it stands, and models that read it so a thousand
times agree. Models that were told nothing of such names judge them by whole ones, and then it shows whether the labels
are cut off names or right as they are, like the names after a capitalised noun in German.
"""

from dataclasses import dataclass
from typing import Final

from torch import Tensor

from trustag.models.numbered import NO_LABEL
from trustag.recipes.settings import Recipe
from trustag.training.folds import Folds

_MOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many labels of one word of a longer name there are, and which share of them is contradicted."""

    labels: int
    contradicted: float
    is_doubted: bool


def verdict_on(folds: Folds, given: Tensor, believed: Tensor) -> Verdict:
    """Return how far the labels that are ``believed`` contradict those ``given`` to one word of a longer name.

    They are doubted where most of them are contradicted, unless most of the other entity labels are, too: then who
    believes so knows nothing of names.
    """
    known = (given > 0) & (believed != NO_LABEL)

    def contradicted(chosen: Tensor) -> float:
        return int((believed != given)[chosen].sum()) / max(1, int(chosen.sum()))

    cut = known & folds.withheld.unknown
    share, elsewhere = contradicted(cut), contradicted(known & ~folds.untold)
    return Verdict(int(cut.sum()), share, is_doubted=share > _MOST > elsewhere)


def decided(recipe: Recipe, verdict: Verdict | None) -> Recipe:
    """Return ``recipe`` with such labels doubted or believed by a verdict; without one they are believed."""
    if recipe.confidence.cut_names != "judged":
        return recipe
    choice = "doubted" if verdict is not None and verdict.is_doubted else "believed"
    return recipe.model_copy(update={"confidence": recipe.confidence.model_copy(update={"cut_names": choice})})
