"""Optimizers and learning rates from settings: dense weights, word vectors row by row, transformers more slowly."""

from collections.abc import Sequence

import torch
from torch import nn

from trustag.recipes.settings import Recipe, TrainingSettings
from trustag.training.row_wise import RowWiseAdam


def build_optimizers(network: nn.Module, recipe: Recipe) -> list[torch.optim.Optimizer]:
    """Return the optimizers of ``network``: one for its dense weights, one for word vectors if they learn.

    Every parameter group carries the learning rate it has at full height as ``full_rate``.
    """
    settings = recipe.training
    table = [parameter for name, parameter in network.named_parameters() if name.endswith("table.rows")]
    slow, other, unpulled = [], [], []
    for name, parameter in network.named_parameters():
        if any(parameter is row for row in table):
            continue
        if name.startswith("encoder.transformer."):
            slow.append(parameter)
        elif parameter.dim() < 2:
            unpulled.append(parameter)
        else:
            other.append(parameter)
    groups = [
        {"params": other, "full_rate": settings.learning_rate, "weight_decay": settings.weight_decay},
        {"params": unpulled, "full_rate": settings.learning_rate, "weight_decay": 0.0},
        {
            "params": slow,
            "full_rate": settings.learning_rate * recipe.transformer.rate,
            "weight_decay": settings.weight_decay,
        },
    ]
    optimizers = [_dense([group for group in groups if group["params"]], settings)]
    if table:
        rate = settings.learning_rate * recipe.bilstm.vectors_rate
        optimizers.append(_row_wise([{"params": table, "full_rate": rate}], settings))
    return optimizers


def _dense(groups: list[dict[str, object]], settings: TrainingSettings) -> torch.optim.Optimizer:
    rate = settings.learning_rate
    if settings.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=rate, momentum=settings.momentum, fused=True)
    kind = torch.optim.AdamW if settings.optimizer == "adamw" else torch.optim.Adam
    return kind(groups, lr=rate, fused=True)


def _row_wise(groups: list[dict[str, object]], settings: TrainingSettings) -> torch.optim.Optimizer:
    """Return an optimizer that touches only the rows of a step; weight decay would touch them all and is left out."""
    rate = settings.learning_rate
    if settings.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=rate)
    return RowWiseAdam(groups, lr=rate)


def clip_gradients(optimizer: torch.optim.Optimizer, largest: float) -> None:
    """Scale all gradients of an optimizer down so that their common norm is at most ``largest``."""
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    gradients = [weight.grad for weight in weights if weight.grad is not None]
    norm = torch.stack([torch.linalg.vector_norm(gradient) for gradient in gradients]).norm().item()
    if norm > largest:
        torch._foreach_mul_(gradients, largest / norm)


def set_rates(optimizers: Sequence[torch.optim.Optimizer], settings: TrainingSettings, step: int, steps: int) -> None:
    """Set every group's learning rate for ``step`` (counted from 0) out of ``steps``."""
    factor = rate_factor(settings, step, steps)
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = group["full_rate"] * factor


def rate_factor(settings: TrainingSettings, step: int, steps: int) -> float:
    """Return the learning rate of ``step`` relative to its height: rising at first, then as the schedule says.

    >>> from trustag.recipes.settings import TrainingSettings
    >>> settings = TrainingSettings(warmup=0.5)
    >>> [rate_factor(settings, step, 4) for step in range(4)]
    [0.5, 1.0, 1.0, 0.5]
    """
    rising = round(settings.warmup * steps)
    if step < rising:
        return (step + 1) / rising
    if settings.schedule == "constant":
        return 1.0
    return (steps - step) / (steps - rising)
