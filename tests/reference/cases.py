"""The recorded batches to compare with: those committed here, and the full recording where it is at hand."""

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from tests.reference.condense import COMMITTED, RECORDING

_BESIDE_THE_PROJECT: Final = Path(__file__).parents[3] / "shared" / "reference"
FULL: Final = Path(os.environ.get("TRUSTAG_REFERENCE", _BESIDE_THE_PROJECT)) / RECORDING


def committed_cases() -> list[Any]:
    """Return the committed batches, each a dictionary of inputs with the ``expected`` outputs."""
    cases: list[Any] = json.loads(COMMITTED.read_text())
    return cases


def full_cases() -> list[Any]:
    """Return the batches of the full recording; none where it is absent."""
    cases: list[Any] = json.loads(FULL.read_text()) if FULL.exists() else []
    return cases


every_case = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{origin}-{case['strategy']}-{case['seed']}")
        for origin, cases in (("committed", committed_cases()), ("full", full_cases()))
        for case in cases
    ],
)
