"""Sections of recipes: values are checked, lists have one form however they are written, nothing unknown passes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from trustag.recipes.sections import MOST, Count, Numbers, Section, Share, advanced, is_advanced


class Example(Section):
    layers: Numbers = ()
    share: Share = 0.0
    count: Count = 1
    rarely_changed: int = advanced(3, "a size", ge=1)


@given(st.lists(st.integers(-MOST, MOST), min_size=1, max_size=5))
def test_numbers_are_the_same_as_text_or_as_a_list(numbers: list[int]) -> None:
    written = ", ".join(map(str, numbers))
    assert Example(layers=written).layers == tuple(numbers)  # type: ignore[arg-type]
    assert Example(layers=numbers).layers == tuple(numbers)  # type: ignore[arg-type]
    assert Example(layers=numbers[0]).layers == (numbers[0],)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "values",
    [
        {"layers": "3,x"},
        {"layers": [1.5]},
        {"layers": MOST + 1},
        {"share": 1.0},
        {"share": float("nan")},
        {"share": "0.5"},
        {"count": 0},
        {"count": True},
        {"count": 2.0},
        {"rarely_changed": 0},
        {"misspelled": 1},
    ],
)
def test_what_does_not_fit_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Example(**values)


def test_a_section_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Example().count = 2


def test_advanced_settings_are_marked_and_others_are_not() -> None:
    assert [name for name, field in Example.model_fields.items() if is_advanced(field)] == ["rarely_changed"]
    assert Example().rarely_changed == 3
