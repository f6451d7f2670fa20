"""Adam for single rows of a table, against torch's own."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from trustag.training.row_wise import RowWiseAdam


@settings(max_examples=20)
@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=8), min_size=1, max_size=6), st.integers(0, 1000))
def test_rows_move_as_with_torch_and_others_stay(steps: list[list[int]], seed: int) -> None:
    torch.manual_seed(seed)
    ours = torch.nn.Parameter(torch.randn(7, 3, dtype=torch.float64))
    theirs = torch.nn.Parameter(ours.detach().clone())
    before = ours.detach().clone()
    optimizers: tuple[torch.optim.Optimizer, ...] = (
        RowWiseAdam([ours], lr=0.1),
        torch.optim.SparseAdam([theirs], lr=0.1),
    )
    for rows in steps:
        gradient = torch.sparse_coo_tensor(
            torch.tensor([rows]), torch.randn(len(rows), 3, dtype=torch.float64), (7, 3), check_invariants=True
        )
        for table, optimizer in zip((ours, theirs), optimizers, strict=True):
            table.grad = gradient.clone()
            optimizer.step()
    torch.testing.assert_close(ours, theirs)
    for key, value in optimizers[1].state[theirs].items():
        torch.testing.assert_close(optimizers[0].state[ours][key], value)
    untouched = sorted(set(range(7)).difference(*steps))
    assert torch.equal(ours[untouched], before[untouched])


def test_a_table_without_gradient_stays_and_a_closure_is_refused() -> None:
    table = torch.nn.Parameter(torch.ones(2, 2))
    optimizer = RowWiseAdam([table])
    optimizer.step()
    assert table.detach().eq(1).all()
    with pytest.raises(TypeError, match="no use"):
        optimizer.step(lambda: 0.0)
