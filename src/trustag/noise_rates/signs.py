"""Signs of what kind of noise labels have, seen without any clean label.

Models that did not see a sentence are sure of nearly every label where labels are clean: they can be predicted. And
where a script has capital letters, names are written with them: labels on many other words are no names.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_UNSURE: Final = 0.02  # further than this from both 0 and 1
_CLEAN: Final = 0.3  # clean English news has 0.16 such tokens per entity label, its noisy versions 0.6 to 2
_SPURIOUS: Final = 0.13  # clean news has 0.02 such labels, a tenth of random spans 0.10, a poor language model 0.18


@dataclass(frozen=True, slots=True)
class NoiseSigns:
    """How many tokens models are ``unsure`` of, per entity label, and which share of these is on ``lower_case`` words.

    The latter is None in a script without capital letters.
    """

    unsure: float
    lower_case: float | None

    @property
    def is_nearly_clean(self) -> bool:
        """Whether models can predict nearly all labels that they did not see."""
        return self.unsure < _CLEAN

    @property
    def is_mostly_spurious(self) -> bool:
        """Whether too many entity labels are on words that no name is written with."""
        return self.lower_case is not None and self.lower_case > _SPURIOUS


def noise_signs(
    words: Iterable[str], given: npt.NDArray[np.integer[Any]], entity: npt.NDArray[np.floating[Any]]
) -> NoiseSigns:
    """Return the signs of noise in ``given`` label indices (tokens,), 0 being ``O``.

    ``entity`` (tokens,) is the probability that a model which did not see a token's label gives to any entity there.

    >>> noise_signs(["Ann", "ran"], np.array([1, 0]), np.array([0.99, 0.5]))
    NoiseSigns(unsure=1.0, lower_case=0.0)
    """
    is_entity = given > 0
    labels = max(1, int(is_entity.sum()))
    first = [word[:1] for word in words]
    lower = np.array([letter.islower() for letter in first], dtype=np.bool_)
    has_case = any(letter.isupper() for letter in first)
    unsure = (entity > _UNSURE) & (entity < 1 - _UNSURE)
    return NoiseSigns(float(unsure.sum()) / labels, float((lower & is_entity).sum()) / labels if has_case else None)
