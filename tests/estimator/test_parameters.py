"""Parameters by name, without scikit-learn: read, changed, shown as a call that makes the same object again."""

import tomllib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.estimator.parameters import Parameters, not_fitted, setting, with_setting


class Machine(Parameters):
    """Something with parameters."""

    def __init__(self, speed: int = 1, name: str = "m", parts: tuple[int, ...] = ()) -> None:
        self.speed, self.name, self.parts = speed, name, parts


VALUES = st.fixed_dictionaries(
    {}, optional={"speed": st.integers(0, 3), "name": st.text(max_size=3), "parts": st.tuples(st.integers())}
)


@given(VALUES, VALUES)
def test_setting_parameters_is_making_the_object_with_them(first: dict[str, Any], second: dict[str, Any]) -> None:
    machine = Machine(**first)
    assert machine.set_params(**second) is machine
    assert machine.get_params() == Machine(**first | second).get_params()
    assert list(machine.get_params()) == ["speed", "name", "parts"]


@given(VALUES)
def test_the_text_is_the_shortest_call_that_makes_it(values: dict[str, Any]) -> None:
    machine = Machine(**values)
    again = eval(repr(machine), {"Machine": Machine})
    assert again.get_params() == machine.get_params()
    changed = [name for name, value in machine.get_params().items() if value != getattr(Machine(), name)]
    assert [name for name in machine.get_params() if f"{name}=" in repr(machine)] == changed or "=" in machine.name


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="Machine.*sped.*speed"):
        Machine().set_params(sped=3)
    with pytest.raises(InputError, match="speed, name, parts"):
        Machine().set_params(zzz=3)


@given(st.text(max_size=8) | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.booleans())
def test_a_setting_is_written_so_that_toml_reads_its_value(value: object) -> None:
    name, _, written = setting("training__epochs", value).partition("=")
    assert name == "training.epochs"
    assert tomllib.loads(f"value = {written}")["value"] == value


def test_numbers_of_numpy_are_plain_numbers_and_lists_are_refused() -> None:
    assert setting("a__b", np.int64(3)) == setting("a__b", 3)
    with pytest.raises(InputError, match="a__b"):
        setting("a__b", [1])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2)), max_size=8))
def test_the_last_change_of_a_setting_counts_and_stands_last(changes: list[tuple[str, int]]) -> None:
    found: tuple[str, ...] = ()
    expected: dict[str, int] = {}
    for name, value in changes:
        found = with_setting(found, f"{name} = {value}")
        expected.pop(name, None)
        expected[name] = value
    assert found == tuple(f"{name} = {value}" for name, value in expected.items())


def test_the_error_before_fit_is_one_of_both_libraries() -> None:
    from sklearn.exceptions import NotFittedError

    error = not_fitted("Machine")
    assert isinstance(error, InputError)
    assert isinstance(error, NotFittedError)
    assert "Machine" in str(error)
