"""Dropout: the right share, the mean kept, and the gradient of what was kept."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.models.dropout import Dropout


@given(st.floats(0, 0.95), st.integers(0, 1000))
def test_values_are_dropped_in_the_given_share_or_scaled(share: float, seed: int) -> None:
    torch.manual_seed(seed)
    count = 20_000
    dropped = Dropout(share)(torch.full((count,), 3.0))
    kept = dropped[dropped != 0]
    torch.testing.assert_close(kept, torch.full_like(kept, 3 / (1 - share)))
    # Six standard deviations: once in half a billion draws.
    assert abs(len(kept) / count - (1 - share)) <= 6 * math.sqrt(share * (1 - share) / count)


def test_the_gradient_passes_where_values_do() -> None:
    values = torch.randn(50, 8, dtype=torch.float64, requires_grad=True)
    dropped = Dropout(0.3)(values)
    torch.autograd.backward(dropped.sum())
    torch.testing.assert_close(values.grad, dropped.detach() / values.detach())


@pytest.mark.parametrize("share", [0.9999, 0.999_999, 1 - 1e-12])
def test_a_share_close_to_one_drops_almost_everything(share: float) -> None:
    torch.manual_seed(1)
    assert Dropout(share)(torch.ones(50_000)).count_nonzero() < 25


@given(st.integers(0, 9))
def test_any_number_of_values_will_do(count: int) -> None:
    assert Dropout(0.5)(torch.ones(count, 3)).shape == (count, 3)


def test_nothing_is_dropped_outside_training() -> None:
    values = torch.randn(50)
    assert Dropout(0.5).eval()(values) is values
    assert Dropout(0.0)(values) is values


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_the_type_stays(dtype: torch.dtype) -> None:
    assert Dropout(0.5)(torch.ones(4, dtype=dtype)).dtype == dtype
