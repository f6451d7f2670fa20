"""Settings of labelling are checked."""

import pytest

from trustag.errors import InputError
from trustag.labelling.settings import LabellingSettings
from trustag.recipes.loading import checked


def test_wrong_settings_are_errors_with_a_hint() -> None:
    with pytest.raises(InputError, match=r"'covr'; did you mean 'cover'"):
        checked(LabellingSettings, {"covr": "best"}, "label.toml")
    with pytest.raises(InputError, match="label.toml: gazetteer.0.name"):
        checked(LabellingSettings, {"gazetteer": [{"path": "x", "name": "two words"}]}, "label.toml")
    assert checked(LabellingSettings, {"gazetteer": [{"path": "x"}]}, "").gazetteer[0].case == "auto"
