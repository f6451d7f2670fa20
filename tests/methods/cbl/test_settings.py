"""The limits of the settings of constrained binary learning."""

import pytest

from tests.methods.cbl.small import small_recipe
from trustag.errors import InputError


@pytest.mark.parametrize("change", ["entity_ratio=1.0", "ratio_step=0.0", "binary_epochs=0", "ratio_source=guess"])
def test_values_outside_their_range_are_refused(change: str) -> None:
    with pytest.raises(InputError, match=f"method.{change.split('=', maxsplit=1)[0]}"):
        small_recipe(f"method.{change}")
