"""What a training leaves in its folder while it runs: metrics after each epoch; models and snapshots now and then.

Writing the models and a snapshot of a small corpus takes longer than an epoch of it, so they wait until some seconds
have passed. Nothing depends on when: a run that goes on from an older snapshot repeats the epochs after it exactly.
"""

import time
from collections.abc import Mapping
from typing import Final

from torch import Tensor

from trustag.models.saving import save_model
from trustag.recipes.settings import Recipe
from trustag.runs.folder import RunFolder, write_metrics
from trustag.text.label_sets import LabelSet
from trustag.training.checkpoints import save_checkpoint
from trustag.training.loop import EpochReport, StepReport, Training

_SECONDS_INSIDE_AN_EPOCH: Final = 120.0


class Keeper:
    """Saves a training to a folder: at the end of epochs, inside long ones, and whenever it is told to."""

    def __init__(self, training: Training, labels: LabelSet, recipe: Recipe, folder: RunFolder) -> None:
        self.training = training
        self.labels = labels
        self.recipe = recipe
        self.folder = folder
        self._best: Mapping[str, Tensor] | None = None
        self._saved_at = time.monotonic()

    def hear(self, event: StepReport | EpochReport) -> None:
        """Take note of a step or an epoch and save what is due."""
        waited = time.monotonic() - self._saved_at
        if isinstance(event, StepReport):
            if waited > _SECONDS_INSIDE_AN_EPOCH:
                self.save()
            return
        training = self.training
        if event.is_best:
            with training.average.in_place():
                self._best = {name: weight.clone() for name, weight in training.network.state_dict().items()}
        write_metrics(self.folder, training.progress.history)
        if waited >= self.recipe.training.snapshot_seconds or training.is_complete:
            self.save()

    def save(self) -> None:
        """Write the best and the last model, and a snapshot to resume from."""
        training, network = self.training, self.training.network
        with training.average.in_place():
            if training.progress.history:
                save_model(network, self.labels, self.recipe, self.folder.last)
            if self._best is not None:
                present = {name: weight.clone() for name, weight in network.state_dict().items()}
                network.load_state_dict(self._best)
                save_model(network, self.labels, self.recipe, self.folder.best)
                network.load_state_dict(present)
                self._best = None
        save_checkpoint(training, self.folder.checkpoints)
        self._saved_at = time.monotonic()
