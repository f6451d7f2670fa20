"""The baseline: one tagger that trusts every label as given."""

from collections.abc import Sequence
from typing import Final

from trustag.methods.base import Learned, as_given_stages, check_label_scores, train_as_given
from trustag.recipes.sections import Section
from trustag.training.jobs import Jobs
from trustag.training.stages import Stage
from trustag.training.task import Task


class BaselineSettings(Section):
    """The baseline has no settings of its own."""


class Baseline:
    """Trains one network on the labels as given, with the encoder and the head of the recipe."""

    summary = "Train on the labels as given (baseline)."
    Settings = BaselineSettings

    def check(self, task: Task, settings: BaselineSettings) -> None:  # noqa: ARG002 - every method's
        """Refuse a head without scores of labels."""
        check_label_scores(task)

    def plan(self, task: Task, settings: BaselineSettings) -> Sequence[Stage]:  # noqa: ARG002 - every method's
        """One training."""
        return as_given_stages(task)

    def train(self, task: Task, settings: BaselineSettings, jobs: Jobs) -> Learned:  # noqa: ARG002 - every method's
        """Train the network."""
        return train_as_given(task, jobs)


METHOD: Final = Baseline()
