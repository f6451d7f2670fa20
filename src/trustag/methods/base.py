"""What a method is: it says its settings, checks its task, plans its stages, and trains.

A method is a module (or package) of this room with a value called ``METHOD``; its name is that of the module, with
hyphens. It asks ``jobs`` for trainings and returns what it learned; files, issues, report and screen follow from that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

from trustag.errors import InputError
from trustag.label_quality.analysis import LabelFindings
from trustag.models.heads import find_head
from trustag.notes import Note, Watch
from trustag.recipes.sections import Section
from trustag.text.labels import Label
from trustag.training.fit_results import FitResult, Job
from trustag.training.jobs import Jobs
from trustag.training.stages import Stage
from trustag.training.task import Task

Own = TypeVar("Own", bound=Section)

_AS_GIVEN: Final = "as-given"


@dataclass(frozen=True, slots=True)
class Learned:
    """What a method learned: the kept model, and whatever it found of the labels.

    ``compared`` are further models to score beside the kept one, by what they are: ``baseline``, ``round 1``.
    ``tables`` are records to write into the run as JSON lines, by file stem (``rounds``, ``search``); ``facts`` go into
    the manifest. ``gold_used_for`` says what the gold column of the training corpus was used for, if for anything.
    ``dev_labels`` are what models that had not seen dev predicted there, where the kept model has learned from it.
    """

    model: FitResult
    labels: LabelFindings | None = None
    compared: Mapping[str, FitResult] = field(default_factory=dict)
    tables: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    facts: Mapping[str, object] = field(default_factory=dict)
    gold_used_for: str = ""
    dev_labels: Sequence[Sequence[Label]] | None = None


@runtime_checkable
class Method(Protocol[Own]):
    """One way to train on labels that are only partly trusted."""

    @property
    def summary(self) -> str:
        """What the method does, in one line."""
        ...

    @property
    def Settings(self) -> type[Own]:  # noqa: N802 - a class
        """The settings of the method: the table ``[method]`` of a recipe, without its name."""
        ...

    def check(self, task: Task, settings: Own) -> None:
        """Refuse, before any work, a task that the method cannot train on."""
        ...

    def plan(self, task: Task, settings: Own) -> Sequence[Stage]:
        """Return the stages of the training, in order."""
        ...

    def train(self, task: Task, settings: Own, jobs: Jobs) -> Learned:
        """Train and return what was learned."""
        ...


def check_label_scores(task: Task) -> None:
    """Refuse a head that does not score the labels of each token, of which nearly all objectives are made."""
    name = task.network.settings.model.head
    if not find_head(name).scores_labels:
        finding = f"this method needs a head that scores the labels of each token, and {name!r} does not"
        raise InputError(finding, remedy="use --set model.head=crf, or the method that the head belongs to")


def check_softmax(task: Task, method: str) -> None:
    """Refuse a head that does not give each token probabilities of its own, such as a CRF."""
    if task.network.settings.model.head != "softmax":
        remedy = f"use --recipe {method} or --set model.head=softmax"
        raise InputError(f"the method {method} needs a softmax head", remedy=remedy)


def as_given_stages(task: Task) -> Sequence[Stage]:
    """Return the only stage of a training on the labels as given."""
    epochs = task.planned_epochs(len(task.corpus))
    return [Stage(_AS_GIVEN, "Training", "One model learns from the labels as given.", 1, epochs)]


def train_as_given(task: Task, jobs: Jobs) -> Learned:
    """Train one network on the labels as given."""
    results = jobs.run(_AS_GIVEN, {_AS_GIVEN: Job(task.fit(task.as_given()), keeps_model=True)})
    return Learned(results[_AS_GIVEN])


def train_single_sentence(task: Task, jobs: Jobs) -> Learned:
    """Train one network on the labels of the only sentence, and say that nothing was cross-validated."""
    note_single_sentence(jobs.watch)
    return train_as_given(task, jobs)


def can_cross_validate(task: Task) -> bool:
    """Tell whether there are sentences to predict by models that are trained on others."""
    return len(task.corpus) > 1


def note_single_sentence(watch: Watch) -> None:
    """Say that nothing was cross-validated."""
    watch(Note("left out", "cross-validation", "a single sentence cannot be held out; its labels are taken as given"))
