"""The limits of the settings of noise adaptation."""

import pytest

from tests.training.small import small_recipe
from trustag.errors import InputError


@pytest.mark.parametrize("change", ["layer=deep", "start=anywhere", "epsilon=1.0", "anchor=-1.0"])
def test_values_outside_their_range_are_refused(change: str) -> None:
    with pytest.raises(InputError, match=f"method.{change.split('=', maxsplit=1)[0]}"):
        small_recipe(f"method.{change}", method="noise-adaptation")
