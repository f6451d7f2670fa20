"""How a model's view of each given label went over the epochs: the record that ranking and reports read."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(slots=True)
class Dynamics:
    """For each epoch and each token: the confidence in the given label, and the label the model itself preferred.

    Both are (epochs, tokens); a token that an epoch has not reached yet has no number (NaN) and the belief -1.
    """

    scores: Tensor
    beliefs: Tensor

    @classmethod
    def empty(cls, epochs: int, tokens: int) -> "Dynamics":
        """Return a record of nothing yet."""
        return cls(torch.full((epochs, tokens), torch.nan), torch.full((epochs, tokens), -1, dtype=torch.int16))

    def record(self, epoch: int, tokens: Tensor, scores: Tensor, beliefs: Tensor) -> None:
        """Note what a pass over some tokens said in ``epoch``."""
        self.scores[epoch, tokens] = scores.float().cpu()
        self.beliefs[epoch, tokens] = beliefs.to("cpu", torch.int16)

    def first(self, epochs: int) -> "Dynamics":
        """Return the record of the first ``epochs`` epochs."""
        return Dynamics(self.scores[:epochs], self.beliefs[:epochs])

    def of(self, tokens: Tensor) -> "Dynamics":
        """Return the record of some tokens, by their indices."""
        return Dynamics(self.scores[:, tokens], self.beliefs[:, tokens])

    def running_mean(self, decay: float) -> Tensor:
        """Return the mean confidence of each token in which an epoch weighs ``decay`` times the one after it.

        A single pass with dropout is a noisy measurement; several together are a good one. Without decay the last epoch
        counts alone.

        >>> Dynamics(torch.tensor([[0.0], [1.0]]), torch.zeros(2, 1)).running_mean(0.5)
        tensor([0.5000])
        """
        if not decay:
            return self.scores[-1]
        mean = self.scores[0]
        for scores in self.scores[1:]:
            mean = decay * mean + (1 - decay) * scores
        return mean

    def mean(self) -> Tensor:
        """Return the mean confidence of each token over the epochs."""
        return self.scores.mean(0)

    def spread(self) -> Tensor:
        """Return the standard deviation of each token's confidence over the epochs; zero after a single one."""
        return self.scores.std(0, correction=0)

    def held(self, labels: Tensor) -> Tensor:
        """Return in which share of the epochs the model preferred ``labels``, one for each token."""
        return (self.beliefs == labels).float().mean(0)
