"""How long one training lasts: as many epochs as the settings say, or more of them where the corpus is small."""

from dataclasses import dataclass, replace
from typing import Final

from trustag.recipes.settings import TrainingSettings

MOST_EPOCHS: Final = 200  # a few sentences are memorised long before; only the user still waits


@dataclass(frozen=True, slots=True)
class FitSchedule:
    """The numbers that one training goes by: its seed, epochs, patience and sentences per step.

    ``nominal_epochs`` are the epochs that were asked for, before the corpus was found to be small. An epoch, after
    which dev is scored, has ``epoch_steps`` steps, or is a pass over the corpus if they are 0.
    """

    seed: int
    epochs: int
    patience: int
    batch_size: int
    nominal_epochs: int
    epoch_steps: int = 0

    def stretched(self, epochs: int) -> int:
        """Return a number of epochs out of the nominal ones, in proportion to those that are trained."""
        return round(epochs * self.epochs / self.nominal_epochs)

    def halved(self) -> "FitSchedule":
        """Return the same with half the epochs and half the patience, for a training that starts from another model."""
        return replace(self, epochs=-(-self.epochs // 2), patience=-(-self.patience // 2))


def fit_schedule(
    settings: TrainingSettings,
    sentences: int,
    batch_size: int,
    *,
    seed: int,
    epochs: int | None = None,
    epoch_steps: int = 0,
) -> FitSchedule:
    """Return the schedule of a training on so many sentences, for ``epochs`` or as many as the settings say.

    Epochs are added until there are ``least_steps`` steps, up to 200; patience grows with them.

    >>> settings = TrainingSettings(epochs=10, patience=5, least_steps=1000)
    >>> [fit_schedule(settings, count, 32, seed=1).epochs for count in (320, 10_000)]
    [100, 10]
    """
    nominal = settings.epochs if epochs is None else epochs
    steps = epoch_steps or -(-max(sentences, 1) // batch_size)
    actual = max(nominal, min(-(-settings.least_steps // steps), MOST_EPOCHS))
    return FitSchedule(seed, actual, round(settings.patience * actual / nominal), batch_size, nominal, epoch_steps)
