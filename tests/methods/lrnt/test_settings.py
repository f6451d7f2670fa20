"""The limits of LRNT's settings."""

import pytest

from tests.training.small import small_recipe
from trustag.errors import InputError


@pytest.mark.parametrize(
    "change", ["good_sentences=0.0", "good_sentences=1.5", "outside_ratio=-0.1", "consistency=2.0"]
)
def test_shares_outside_their_range_are_refused(change: str) -> None:
    with pytest.raises(InputError, match=f"method.{change.split('=', maxsplit=1)[0]}"):
        small_recipe(f"method.{change}", method="lrnt")
