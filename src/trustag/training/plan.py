"""The stages of a run, known before it begins: what each is for, and how much work it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from trustag.recipes.doubt_settings import RateSettings
from trustag.recipes.settings import Recipe
from trustag.training.length import long_enough


@dataclass(frozen=True, slots=True)
class Stage:
    """Trainings that run side by side: their number, the epochs of each, and the share of the corpus each sees."""

    name: str
    title: str
    purpose: str
    trainings: int
    epochs: int
    share: float = 1.0

    @property
    def passes(self) -> float:
        """The work of the stage, in passes over the whole corpus; less if trainings stop early."""
        return self.trainings * self.epochs * self.share


@dataclass(frozen=True, slots=True)
class Plan:
    """All stages of a run, in order."""

    stages: Sequence[Stage]

    @property
    def passes(self) -> float:
        """The work of the run, in passes over the whole corpus."""
        return sum(stage.passes for stage in self.stages)

    def number(self, name: str) -> int:
        """Return which stage the one called ``name`` is, counted from 0."""
        return [stage.name for stage in self.stages].index(name)

    def passes_before(self, number: int) -> float:
        """Return the work of the stages before one."""
        return sum(stage.passes for stage in self.stages[:number])


def plan_of(recipe: Recipe, sentences: int) -> Plan:
    """Return the stages of a run that doubts the labels of a corpus of that many sentences."""
    rounds = recipe.rounds
    hides_names = rounds.hide == "names"
    folds = rounds.folds if hides_names else min(rounds.folds, sentences)
    share = 1.0 if hides_names else (folds - 1) / folds
    part, annotators = round(sentences * share), folds * rounds.members
    fold_epochs = _epochs(recipe, rounds.fold_epochs or recipe.training.epochs, part)
    short_epochs = _epochs(recipe, recipe.rates.estimate_epochs, part)
    stages: list[Stage] = []
    if judges_apart(recipe):
        purpose = "Models that are told none judge labels on one word of a longer name."
        stages.append(Stage("judges", "Which names are cut short?", purpose, annotators, short_epochs, share))
    if recipe.rates.source in {"auto", "dev"}:
        is_unseen = recipe.rates.source == "auto"
        hidden = "names whose labels they are not told" if hides_names else "the part of the corpus they have not seen"
        whose = hidden if is_unseen else "dev, which show their errors"
        purpose = f"Models judge the labels of {whose}."
        stages.append(Stage("rates", "How noisy are the labels?", purpose, annotators, short_epochs, share))
    elif recipe.rates.source == "searched":
        trainings = annotators * _points(recipe.rates)
        purpose = "Models are trained with every rate in question and scored on dev."
        stages.append(Stage("search", "Which noise rates do best?", purpose, trainings, fold_epochs, share))
    final_epochs = _epochs(recipe, recipe.training.epochs, sentences)
    for number in range(1, rounds.count + 1):
        place = f"Round {number} of {rounds.count}: " if rounds.count > 1 else ""
        has_baseline = number == 1 and rounds.baseline
        what = "names they are not told of" if hides_names else "the part they have not seen"
        purpose = f"Models that doubt labels while they learn relabel {what}."
        stages.append(Stage(f"{stage_of(number)}/folds", f"{place}New labels", purpose, annotators, fold_epochs, share))
        purpose = "One model learns from the new labels"
        purpose += ", another from those given, to compare." if has_baseline else "."
        trainings = 2 if has_baseline else 1
        stages.append(Stage(f"{stage_of(number)}/final", f"{place}Final model", purpose, trainings, final_epochs))
    return Plan(stages)


def stage_of(number: int) -> str:
    """Return the name that a round, counted from 1, has among the stages and trainings of a run."""
    return f"round-{number}"


def judges_apart(recipe: Recipe) -> bool:
    """Tell whether labels of longer names are judged by models of their own, since no noise rates are estimated."""
    return recipe.confidence.cut_names == "judged" and recipe.rates.source in {"given", "searched"}


def _epochs(recipe: Recipe, epochs: int, sentences: int) -> int:
    """Return how many epochs a training of so many sentences takes when the recipe says ``epochs``."""
    training = recipe.training.model_copy(update={"epochs": epochs})
    return long_enough(recipe.model_copy(update={"training": training}), sentences).training.epochs


def search_grids(settings: RateSettings) -> tuple[list[float], list[float]]:
    """Return the noise rates to try: of ``O`` labels, and of entity labels.

    >>> search_grids(RateSettings(search_to=0.1, search_step=0.05, search_positive_to=0.6, search_positive_step=0.3))
    ([0.0, 0.05, 0.1], [0.0, 0.3, 0.6])
    """
    to, step = settings.search_to, settings.search_step
    of_entities = settings.search_positive_to or to, settings.search_positive_step or step
    return _grid(settings.search_from, to, step), _grid(settings.search_from, *of_entities)


def _grid(lowest: float, highest: float, step: float) -> list[float]:
    steps = round((highest - lowest) / step)
    return [round(lowest + number * step, 6) for number in range(steps + 1)]


def _points(settings: RateSettings) -> int:
    """Return how many pairs of noise rates a search trains with."""
    negative, positive = search_grids(settings)
    if settings.search == "full":
        return len(negative) * len(positive)
    return len(negative) + len(positive) - (0.0 in positive)  # the best pair of the first sweep is in the second again
