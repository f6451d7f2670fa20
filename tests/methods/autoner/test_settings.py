"""The limits of AutoNER's settings."""

import pytest

from tests.training.small import small_recipe
from trustag.errors import InputError


@pytest.mark.parametrize("change", ["source=words", "least_share=1.0", "least_repeats=0", "type_loss=hard"])
def test_values_outside_their_range_are_refused(change: str) -> None:
    with pytest.raises(InputError, match=f"method.{change.split('=', maxsplit=1)[0]}"):
        small_recipe(f"method.{change}", method="autoner")
