"""Put the folds' judgements together: what models that have not seen a label say of it, and new labels from that."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.confidence.dynamics import Dynamics
from trustag.confidence.probabilities import confidence
from trustag.confidence.selection import NoiseRates, kept_count, label_groups, most_confident
from trustag.crf import legal_transitions, one_hot_mask
from trustag.crf.outputs import Judgement, Reading, mean_judgement
from trustag.data.encoded_corpus import MODEL_SCHEME, NO_LABEL, Numbered
from trustag.label_quality.temperature import fitted_temperature
from trustag.text.labels import LabelSet
from trustag.training.folds import Folds, Piece, places
from trustag.training.judging import Outcome
from trustag.training.told_rates import told_rates

Reannotate: TypeAlias = Literal["outside", "untrusted", "all"]


@dataclass(frozen=True, slots=True)
class SeeingView:
    """How models that trained on a label came to see it: their confidence in it over the epochs, mean of the models."""

    running_mean: Tensor
    mean: Tensor
    spread: Tensor


@dataclass(frozen=True, slots=True)
class UnseenView:
    """What models that have not seen a token say of it, for all tokens of the corpus in a row.

    ``probabilities`` are label marginals; ``dynamics`` is there where the models kept a record of their training,
    ``prior`` where others judged the labels before them.
    """

    given: Tensor
    probabilities: Tensor
    dynamics: SeeingView | None
    prior: Tensor | None = None

    def trust(self) -> Tensor:
        """Return how far each given label is believed by all models together; only the order means something."""
        trust = confidence(self.probabilities, self.given)
        if self.dynamics is not None:
            trust = trust + self.dynamics.running_mean
        return trust if self.prior is None else trust + self.prior


class Rejoined:
    """The judgements of all folds, addressed by the tokens of the whole corpus.

    With ``legal_only`` illegal label sequences are ruled out of them. Labels that a person has decided on are taken as
    known: the models are only asked about paths that go through them.
    """

    def __init__(
        self,
        numbered: Numbered,
        folds: Folds,
        outcomes: Sequence[Outcome],
        labels: LabelSet,
        *,
        legal_only: bool = True,
    ) -> None:
        self.given = torch.cat(numbered.labels)
        self.doubtable, self.settled = numbered.doubtable, numbered.settled
        self.folds = folds
        self.outcomes = outcomes
        self.labels = labels
        self.legal_only = legal_only
        self.pieces = folds.pieces([outcome.judgement for outcome in outcomes])
        self.lengths = numbered.lengths

    def joined_by(self, judgement: Judgement) -> "Rejoined":
        """Return the same with what one more model says of the whole corpus: the mean of its scores and theirs."""
        joined = copy(self)
        joined.pieces = [
            Piece(sentences, mean_judgement([own, judgement.of(sentences)])) for sentences, own in self.pieces
        ]
        return joined

    @property
    def ranked(self) -> Tensor:
        """The labels that are ranked among each other: those that somebody was told and nobody has decided on."""
        return self.doubtable.masked_fill(self.folds.untold, NO_LABEL)

    @property
    def ruled_out(self) -> Tensor:
        """Entity labels of which models were told that they are none."""
        return self.folds.withheld.outside

    def told_rates(self, rates: NoiseRates) -> NoiseRates:
        """Return the noise rates of the ranked labels, if ``rates`` are those of all."""
        return told_rates(rates, self.given, self.folds.untold, self.labels)

    def view(self, memory: float) -> UnseenView:
        """Return what unseeing models say, and what the seeing ones said with ``memory`` of earlier epochs."""
        probabilities = self.probabilities(None)
        return UnseenView(self.given, probabilities, self._dynamics(memory, confidence(probabilities, self.given)))

    def probabilities(self, allowed: Tensor | None) -> Tensor:
        """Return the probability of each label at each token, given that the path stays inside ``allowed``."""
        found = torch.empty(len(self.given), len(self.labels))
        known = self._with_settled(allowed)
        for own, judgement in self._judged():
            found[own] = judgement.marginals(None if known is None else known[own])
        return found

    def best_labels(self, allowed: Tensor | None) -> Tensor:
        """Return the best label of each token inside ``allowed``."""
        found = torch.empty_like(self.given)
        known = self._with_settled(allowed)
        for own, judgement in self._judged():
            found[own] = judgement.best_labels(None if known is None else known[own])
        return found

    def probabilities_of(self, readings: Sequence[Reading]) -> list[float]:
        """Return how probable each reading is to the model that has not seen its sentence."""
        known = self._with_settled(None)
        found = [0.0] * len(readings)
        for piece, (own, judgement) in zip(self.pieces, self._judged(), strict=True):
            number = {sentence: place for place, sentence in enumerate(piece.sentences)}
            here = [place for place, reading in enumerate(readings) if reading.sentence in number]
            asked = [replace(readings[place], sentence=number[readings[place].sentence]) for place in here]
            values = judgement.probabilities_of(asked, None if known is None else known[own])
            for place, value in zip(here, values, strict=True):
                found[place] = value
        return found

    def held(self, labels: Tensor) -> Tensor | None:
        """Return in which share of their epochs models that trained on a token preferred ``labels``, where recorded."""
        agreed = (self.best_labels(None) == labels).float()[None]
        found = self._by_seeing(lambda dynamics, learnt: dynamics.held(labels[learnt])[None], agreed)
        return None if found is None else found[0]

    def temperature(self, wrong: Tensor) -> float:
        """Return the temperature at which unseeing models are as sure as they should be, if labels are so far wrong."""
        judged = [(judgement, self.doubtable[own], wrong[own]) for own, judgement in self._judged()]
        return fitted_temperature(judged)

    def _with_settled(self, allowed: Tensor | None) -> Tensor | None:
        return with_settled(allowed, self.settled, self.given, self.labels)

    def _judged(self) -> list[tuple[Tensor, Judgement]]:
        moves = legal_transitions(self.labels.labels, MODEL_SCHEME)
        return [
            (places(self.lengths, sentences), judgement.legal(moves) if self.legal_only else judgement)
            for sentences, judgement in self.pieces
        ]

    def _dynamics(self, memory: float, unseen: Tensor) -> SeeingView | None:
        found = self._by_seeing(
            lambda dynamics, _: torch.stack([dynamics.running_mean(memory), dynamics.mean(), dynamics.spread()]),
            torch.stack([unseen, unseen, torch.zeros_like(unseen)]),
        )
        return None if found is None else SeeingView(*found)

    def _by_seeing(self, look: Callable[[Dynamics, Tensor], Tensor], otherwise: Tensor) -> Tensor | None:
        """Return some rows of what models say of labels they were told, the mean of all who were, where recorded.

        A label that nobody was told has the values of ``otherwise``.
        """
        totals, models = torch.zeros_like(otherwise), torch.zeros(len(self.given))
        for fold, outcome in enumerate(self.outcomes):
            if outcome.dynamics is None:
                return None
            learnt, told = places(self.lengths, self.folds.learnt(fold)), self.folds.told(fold)
            totals[:, learnt[told]] += look(outcome.dynamics, learnt)[:, told]
            models[learnt[told]] += 1
        return torch.where(models > 0, totals / models, otherwise)


def pinned_labels(given: Tensor, trust: Tensor, labels: LabelSet, rates: NoiseRates, reannotate: Reannotate) -> Tensor:
    """Return which labels relabelling must leave as they are.

    ``outside`` pins every entity label; ``untrusted`` lets go of the least trusted ones, as many as the noise rates say
    are wrong; ``all`` pins nothing. Labels that are ``O`` or unknown are always free.
    """
    is_entity = given > 0
    if reannotate == "outside":
        return is_entity
    if reannotate == "all":
        return torch.zeros_like(is_entity)
    groups = label_groups(labels, rates)
    group = groups.of(given)
    keep = [
        kept_count(int((group == number).sum()), rate, "nearest") if number else 0
        for number, rate in enumerate(groups.rates)
    ]
    return most_confident(trust, group, keep)


def allowed_by(pinned: Tensor, given: Tensor, labels: LabelSet) -> Tensor:
    """Return the labels each token may take: its given one where that is pinned, any other otherwise."""
    return one_hot_mask(given, len(labels)) | ~pinned[:, None]


def with_settled(allowed: Tensor | None, settled: Tensor, given: Tensor, labels: LabelSet) -> Tensor | None:
    """Return ``allowed`` with the given label alone wherever that is settled; nothing where nothing is ruled out."""
    if not settled.any():
        return allowed
    known = allowed_by(settled, given, labels)
    return known if allowed is None else torch.where(settled[:, None], known, allowed)
