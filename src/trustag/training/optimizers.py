"""Optimizers and learning rates from settings: dense weights, word vectors row by row, transformers more slowly."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import nn

from trustag.models.network import Network
from trustag.recipes.network_settings import NetworkSettings
from trustag.recipes.settings import TrainingSettings
from trustag.training.row_wise import RowWiseAdam


def build_optimizers(
    networks: Sequence[Network], shape: NetworkSettings, settings: TrainingSettings, beside: Iterable[nn.Parameter] = ()
) -> list[torch.optim.Optimizer]:
    """Return the optimizers of ``networks``: one for their dense weights, one for word vectors that are fine-tuned.

    Parameters ``beside`` the networks, those of an objective, go with the dense weights, without weight decay. Every
    parameter group carries its peak learning rate as ``full_rate``.
    """
    rate, table = settings.learning_rate, []
    groups: list[dict[str, Any]] = []
    for network in networks:
        slow, matrices, vectors = [], [], []
        for name, parameter in network.ordered_parameters():
            if name.endswith("table.rows"):
                table.append(parameter)
            elif name.startswith("encoder.transformer."):
                slow.append(parameter)
            elif parameter.dim() < 2:
                vectors.append(parameter)
            else:
                matrices.append(parameter)
        groups += [
            {"params": matrices, "full_rate": rate, "weight_decay": settings.weight_decay},
            {"params": vectors, "full_rate": rate, "weight_decay": 0.0},
            {"params": slow, "full_rate": rate * shape.transformer.rate, "weight_decay": settings.weight_decay},
        ]
    groups.append({"params": list(beside), "full_rate": rate, "weight_decay": 0.0})
    optimizers = [_dense([group for group in groups if group["params"]], settings)]
    if table:
        optimizers.append(_row_wise([{"params": table, "full_rate": rate * shape.bilstm.vectors_rate}], settings))
    return optimizers


def _dense(groups: list[dict[str, Any]], settings: TrainingSettings) -> torch.optim.Optimizer:
    rate = settings.learning_rate
    if settings.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=rate, fused=True)
    kind = torch.optim.AdamW if settings.optimizer == "adamw" else torch.optim.Adam
    return kind(groups, lr=rate, fused=True)


def _row_wise(groups: list[dict[str, Any]], settings: TrainingSettings) -> torch.optim.Optimizer:
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
