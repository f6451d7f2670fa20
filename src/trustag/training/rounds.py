"""Self-training with confidence: fold models relabel what they have not seen, and a final model learns from that.

Every round trains one model for each fold, which is not told a part of the labels and distrusts the others at the noise
rates; labels are made anew by the models that were not told them; a final model learns from the result. Without rates
the same loop is plain self-training.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import torch
from msgspec.structs import replace as changed
from torch import Tensor

from trustag.confidence.selection import NoiseRates
from trustag.data.encoded_corpus import Numbered, number_sentences
from trustag.models.building import GivenVectors
from trustag.models.context import Context
from trustag.recipes.settings import Recipe
from trustag.seeded_random import SeededRandom
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import Sentence
from trustag.training.fitting import Fitting
from trustag.training.folds import Folds, draw_folds, places, told_labels
from trustag.training.jobs import Job, Workshop
from trustag.training.judging import Outcome, together
from trustag.training.length import long_enough
from trustag.training.oracle import oracle_rates
from trustag.training.plan import stage_of
from trustag.training.relabelling import Reannotate, Rejoined, UnseenView, allowed_by, pinned_labels
from trustag.training.told_rates import told_rates

BASELINE: Final = "plain"


@dataclass(frozen=True, slots=True)
class Material:
    """What all trainings of a run share; ``as_written`` where labels are the model's own and may be illegal.

    ``prior`` is what the models behind the noise rates believed of each label, where there are such.
    """

    sentences: Sequence[Sentence]
    dev: Sequence[Sentence]
    labels: LabelSet
    recipe: Recipe
    vectors: GivenVectors | None
    as_written: bool = False
    prior: Tensor | None = None
    context: Context | None = None

    @property
    def legal_only(self) -> bool:
        """Whether models are kept to legal label sequences when they tag."""
        return self.recipe.model.constraints != "none"


@dataclass(frozen=True, slots=True)
class Relabelled:
    """The corpus as a round sees it: its view of every given label, what was pinned, and the new labels.

    ``probabilities`` are those of the new labels, given the pinned ones; ``labels`` the best path under the same;
    ``suggested`` the best path when nothing is pinned.
    """

    view: UnseenView
    pinned: Tensor
    probabilities: Tensor
    labels: Tensor
    suggested: Tensor


@dataclass(frozen=True, slots=True)
class Round:
    """One finished round: the rates it distrusted at, the relabelled corpus, the final model and where it is."""

    number: int
    rates: NoiseRates
    relabelled: Relabelled
    final: Outcome
    final_name: str
    rejoined: Rejoined

    @property
    def fold_outcomes(self) -> Sequence[Outcome]:
        """What each fold model left."""
        return self.rejoined.outcomes


def fold_models(
    material: Material,
    workshop: Workshop,
    folds: Folds,
    rates: NoiseRates,
    stage: str,
    also: Sequence[Sentence] = (),
) -> list[Outcome]:
    """Return, for each fold, the outcome of its model, which judges what it was not told and ``also`` more."""
    return fold_models_at(material, workshop, folds, {stage: rates}, also)[stage]


def fold_models_at(
    material: Material,
    workshop: Workshop,
    folds: Folds,
    stages: Mapping[str, NoiseRates],
    also: Sequence[Sentence] = (),
    seeded_as: str | None = None,
) -> dict[str, list[Outcome]]:
    """Return the fold models of several stages at once, so that all their trainings run side by side.

    Every stage has seeds of its own, or all have those of the stage ``seeded_as``.
    """
    count = material.recipe.rounds.members
    names = {stage: [member_names(stage, fold, count) for fold in range(folds.count)] for stage in stages}
    numbered = number_sentences(material.sentences, material.labels, as_written=material.as_written)
    given = torch.cat(numbered.labels)
    jobs = {}
    for stage, rates in stages.items():
        own_rates = told_rates(rates, given, folds.untold, material.labels)
        for fold, members in enumerate(names[stage]):
            judged = [material.sentences[number] for number in folds.judged(fold)]
            tokens = [sentence.tokens for sentence in (*judged, *also)]
            learner = replace(
                material,
                sentences=told_labels(material.sentences, folds, fold),
                prior=None if material.prior is None else material.prior[places(numbered.lengths, folds.learnt(fold))],
            )
            seeds = member_names(seeded_as or stage, fold, count)
            for name, seed in zip(members, seeds, strict=True):
                jobs[name] = Job(_fold_fitting(learner, seed, own_rates), tokens)
    outcomes = workshop.run(jobs)
    return {stage: [together([outcomes[name] for name in members]) for members in own] for stage, own in names.items()}


def member_names(stage: str, fold: int, members: int) -> list[str]:
    """Return the names of the models that judge one fold of a stage together."""
    name = f"{stage}/fold-{fold + 1}"
    return [name, *(f"{name}-{member + 1}" for member in range(1, members))]


def _fold_fitting(material: Material, seed: str, rates: NoiseRates) -> Fitting:
    return Fitting(
        material.sentences,
        material.dev,
        material.labels,
        long_enough(_with_seed(material.recipe, seed), len(material.sentences)),
        material.vectors,
        material.context,
        rates=rates,
        prior=material.prior,
        as_written=material.as_written,
    )


def self_train(material: Material, workshop: Workshop, first_rates: NoiseRates) -> list[Round]:
    """Return all rounds; the first distrusts labels at ``first_rates``, later ones at the rates the recipe says."""
    settings, labels = material.recipe.rounds, material.labels
    numbered = number_sentences(material.sentences, labels)
    current: Sequence[Sentence] = material.sentences
    rounds: list[Round] = []
    for number in range(settings.count):
        stage = stage_of(number + 1)
        rates = first_rates if number == 0 else _later_rates(material, first_rates, current)
        drawing = number // settings.reshuffle
        folds = draw_folds(material.sentences, numbered, material.recipe, drawing)
        workshop.enter(f"{stage}/folds")
        recipe = fold_recipe(material.recipe)
        annotators = replace(material, sentences=current, recipe=recipe)
        if number:  # labels of the round before, of which nobody has said anything yet
            annotators = replace(annotators, as_written=True, prior=None)
        outcomes = fold_models(annotators, workshop, folds, rates, stage)
        rejoined = Rejoined(numbered, folds, outcomes, labels, legal_only=material.legal_only)
        relabelled = relabel(rejoined, _view(rejoined, material, rounds), rates, settings.reannotate)
        current = with_labels(material.sentences, numbered, relabelled.labels, labels)
        name = f"{stage}/final"
        workshop.enter(name)
        jobs = {name: _final_job(material, numbered, relabelled, current, rates)}
        if number == 0 and settings.baseline:
            jobs[BASELINE] = _plain_job(material)
        final = workshop.run(jobs)[name]
        rounds.append(Round(number + 1, rates, relabelled, final, name, rejoined))
    return rounds


def _view(rejoined: Rejoined, material: Material, rounds: Sequence[Round]) -> UnseenView:
    """Return what models say of the labels as given; only those of the first round learnt from these."""
    settings = material.recipe.confidence
    view = rejoined.view(settings.memory)
    prior = None if material.prior is None else settings.prior * material.prior
    dynamics = rounds[0].relabelled.view.dynamics if rounds else view.dynamics
    return replace(view, prior=prior, dynamics=dynamics)


def relabel(rejoined: Rejoined, view: UnseenView, rates: NoiseRates, reannotate: Reannotate) -> Relabelled:
    """Return new labels for the corpus: from the original ones each time, never from those of the round before.

    Labels that a person has decided on stay.
    """
    told = rejoined.told_rates(rates)
    least = pinned_labels(rejoined.ranked, view.trust(), rejoined.labels, told, reannotate)
    pinned = rejoined.settled | least
    allowed = allowed_by(pinned, rejoined.given, rejoined.labels)
    return Relabelled(
        view, pinned, rejoined.probabilities(allowed), rejoined.best_labels(allowed), rejoined.best_labels(None)
    )


def with_labels(
    sentences: Sequence[Sentence], numbered: Numbered, labels: Tensor, label_set: LabelSet
) -> list[Sentence]:
    """Return ``sentences`` with the labels numbered in ``labels``, one for each token of the corpus."""
    names = label_set.labels
    rows = torch.split(labels, numbered.lengths)
    return [
        changed(sentence, labels=tuple(names[label] for label in row.tolist()))
        for sentence, row in zip(sentences, rows, strict=True)
    ]


def fold_recipe(recipe: Recipe) -> Recipe:
    """Return the recipe of fold models: their own epochs, and word vectors that learn only if asked for."""
    rounds = recipe.rounds
    epochs = rounds.fold_epochs or recipe.training.epochs
    training = recipe.training.model_copy(update={"epochs": epochs})
    bilstm = recipe.bilstm.model_copy(update={"vectors_learn": rounds.fold_vectors_learn})
    return recipe.model_copy(update={"training": training, "bilstm": bilstm})


def _final_job(
    material: Material, numbered: Numbered, relabelled: Relabelled, current: Sequence[Sentence], rates: NoiseRates
) -> Job:
    """Return the training of the final model: on all sentences, which it also judges, with the seed of the run."""
    rounds = material.recipe.rounds
    kind = "hard" if rounds.final_confidence else rounds.relabel
    probabilities = torch.split(relabelled.probabilities, numbered.lengths)
    fitting = Fitting(
        sentences=current,
        dev=material.dev,
        labels=material.labels,
        recipe=long_enough(material.recipe, len(current)),
        vectors=material.vectors,
        context=material.context,
        rates=rates if rounds.final_confidence else None,
        weights=probabilities if kind == "weighted" else None,
        expected=probabilities if kind == "soft" else None,
        as_written=True,
    )
    return Job(fitting, [sentence.tokens for sentence in current], keeps_model=True)


def plain_fitting(material: Material) -> Fitting:
    """Return the training of one model that believes every label."""
    recipe = long_enough(material.recipe, len(material.sentences))
    return Fitting(material.sentences, material.dev, material.labels, recipe, material.vectors, material.context)


def _plain_job(material: Material) -> Job:
    """Return the training on the labels as they are given."""
    return Job(plain_fitting(material), keeps_model=True)


def _later_rates(material: Material, first: NoiseRates, current: Sequence[Sentence]) -> NoiseRates:
    """Return the rates of a later round, whose fold models learn from the labels of ``current``."""
    rates = material.recipe.rates
    if rates.later == "same":
        return first
    if rates.later == "fixed":
        return NoiseRates(rates.later_negative, rates.later_positive)
    numbered = number_sentences(current, material.labels, as_written=True)
    return oracle_rates(numbered, material.labels, rates.apart).times(rates.margin)


def _with_seed(recipe: Recipe, purpose: str) -> Recipe:
    """Return ``recipe`` with a seed that differs from training to training and follows from the run's own."""
    seed = SeededRandom(recipe.training.seed, purpose).below(2**31)
    return recipe.model_copy(update={"training": recipe.training.model_copy(update={"seed": seed})})
