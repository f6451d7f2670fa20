"""Whether to believe entity labels of one word of a longer name: as models say that were told none of them.

A dictionary of first names labels *Bill* in *Bill Clinton* wherever it stands, and models that read it so a thousand
times agree. Models that were told nothing of such names judge them by whole ones, and then it shows whether the labels
are cut off names or right as they are, like the names after a capitalised noun in German.
"""

from dataclasses import dataclass
from typing import Final

from torch import Tensor

from trustag.data.encoded_corpus import NO_LABEL
from trustag.recipes.settings import Recipe
from trustag.training.folds import Folds

_CLEARLY: Final = 3
_MOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is believed of labels of one word of a longer name: how many there are, and how many of them each way.

    Some are the ``same``, some of ``another`` entity; the rest are none, which says little where entities were missed.
    ``agreed`` is the share of all other entity labels that are believed: who believes few of them knows nothing of
    names.
    """

    labels: int
    same: int
    another: int
    agreed: float

    @property
    def is_doubted(self) -> bool:
        """Whether somebody who knows names sees another entity several times as often as that of the label."""
        return self.agreed > _MOST and self.another >= _CLEARLY * (self.same + 1)


def verdict_on(folds: Folds, given: Tensor, believed: Tensor) -> Verdict:
    """Return what the labels that are ``believed`` say of those ``given`` to one word of a longer name."""
    cut = folds.withheld.unknown & (given > 0)
    others = ~folds.untold & (given > 0) & (believed != NO_LABEL)
    same = believed == given
    return Verdict(
        labels=int(cut.sum()),
        same=int(same[cut].sum()),
        another=int(((believed > 0) & ~same)[cut].sum()),
        agreed=int(same[others].sum()) / max(1, int(others.sum())),
    )


def decided(recipe: Recipe, verdict: Verdict | None) -> Recipe:
    """Return ``recipe`` with such labels doubted or believed by a verdict; without one they are believed."""
    if recipe.confidence.cut_names != "judged":
        return recipe
    choice = "doubted" if verdict is not None and verdict.is_doubted else "believed"
    return recipe.model_copy(update={"confidence": recipe.confidence.model_copy(update={"cut_names": choice})})
