"""What a training leaves in its folder while it runs: metrics after each epoch; models and snapshots now and then.

Writing the models and a snapshot of a small corpus takes longer than an epoch of it, so they wait until some seconds
have passed. Nothing depends on when: a run that continues from an older snapshot repeats the epochs after it exactly.
"""

import time
from collections.abc import Mapping
from typing import Final

from torch import Tensor

from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.models.saving import save_model
from trustag.runs.folder import RunFolder, write_metrics
from trustag.runs.records import EpochReport
from trustag.training.checkpoints import save_checkpoint
from trustag.training.loop import StepReport, Training

_SECONDS_INSIDE_AN_EPOCH: Final = 120.0


class Checkpointer:
    """Saves a training to a folder: at the end of epochs, inside long ones, and whenever it is asked to."""

    def __init__(self, training: Training, spec: NetworkSpec, folder: RunFolder) -> None:
        self.training = training
        self.spec = spec
        self.folder = folder
        self._best: Mapping[str, Tensor] | None = None
        self._is_best_saved = True
        self._saved_at = time.monotonic()

    def take(self, event: StepReport | EpochReport) -> None:
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
            self._is_best_saved = False
        write_metrics(self.folder, training.progress.history)
        if waited >= training.settings.snapshot_seconds or training.is_complete:
            self.save()

    def save(self) -> None:
        """Write the best and the last model, and a snapshot to resume from."""
        training, network = self.training, self.training.network
        with training.average.in_place():
            if training.progress.history:
                save_model(network, self.spec, self.folder.last)
            if self._best is not None and not self._is_best_saved:
                present = {name: weight.clone() for name, weight in network.state_dict().items()}
                network.load_state_dict(self._best)
                save_model(network, self.spec, self.folder.best)
                network.load_state_dict(present)
                self._is_best_saved = True
        save_checkpoint(training, self.folder.checkpoints)
        self._saved_at = time.monotonic()

    def best_network(self) -> Network | None:
        """Return the network with the weights of its best epoch, if that was trained by this process.

        The training cannot be continued with it.
        """
        if self._best is None:
            return None
        self.training.network.load_state_dict(self._best)
        return self.training.network
