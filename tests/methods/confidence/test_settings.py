"""Settings of the confidence method: a grid is a range with a step, rates are shares, parity is apart."""

from typing import Any

import pytest
from pydantic import ValidationError

from trustag.methods.confidence.settings import ConfidenceParity, ConfidenceSettings, RateGrid, RateSettings
from trustag.recipes.sections import is_advanced


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (RateGrid, {"negative": (0.0, 0.2)}),
        (RateGrid, {"positive": (0.0, 1.2, 0.1)}),
        (RateGrid, {"step": 0.1}),
        (RateSettings, {"negative": 1.0}),
        (RateSettings, {"source": "guess"}),
        (RateSettings, {"grid": {"negative": "0-1"}}),
        (ConfidenceSettings, {"ema_decay": 1.0}),
        (ConfidenceSettings, {"negatives_per_name": -1}),
        (ConfidenceSettings, {"part_score": "sum"}),
    ],
)
def test_what_means_nothing_is_refused(kind: Any, values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        kind(**values)


def test_a_grid_is_the_same_from_toml_and_from_python() -> None:
    written = RateSettings(grid={"negative": [0, 0.2, 0.1]})  # type: ignore[arg-type]
    assert written.grid == RateGrid(negative=(0.0, 0.2, 0.1))


def test_every_switch_of_parity_is_advanced() -> None:
    assert all(map(is_advanced, ConfidenceParity.model_fields.values()))
