"""The limits of BOND's settings."""

import pytest

from tests.training.small import small_recipe
from trustag.errors import InputError


@pytest.mark.parametrize("change", ["early_share=0.0", "threshold=1.0", "period=-1", "pseudo_labels=firm"])
def test_values_outside_their_range_are_refused(change: str) -> None:
    with pytest.raises(InputError, match=f"method.{change.split('=', maxsplit=1)[0]}"):
        small_recipe(f"method.{change}", method="bond")
