"""The training loop: a generator that yields after every step and every epoch; the caller logs, saves and stops."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import torch
from torch import Tensor

from trustag.crf import Chain, constrain, legal_transitions
from trustag.data.encoded_corpus import MODEL_SCHEME, Numbered, padded_labels
from trustag.models.encoders import Inputs
from trustag.models.network import Network
from trustag.recipes.settings import Recipe
from trustag.text.labels import LabelSet
from trustag.text.scoring import EntityScores
from trustag.training.averages import WeightAverage
from trustag.training.batches import draw_batches
from trustag.training.objectives import Objective, Pass, Scored
from trustag.training.optimizers import build_optimizers, clip_gradients, set_rates

DevScore: TypeAlias = Callable[[], EntityScores]


@dataclass(frozen=True, slots=True)
class StepReport:
    """One update: where it is in the epoch, and how many tokens it saw."""

    epoch: int
    step: int
    steps: int
    tokens: int


@dataclass(frozen=True, slots=True)
class EpochReport:
    """One pass over the training sentences: its mean loss a sentence, dev scores, and whether it is the best so far.

    ``facts`` is what the objective found worth logging.
    """

    epoch: int
    loss: float
    precision: float | None
    recall: float | None
    f1: float | None
    is_best: bool
    epochs_since_best: int
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Progress:
    """How far a training is, in numbers that fit into JSON."""

    epoch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    best: float | None = None
    epochs_since_best: int = 0
    history: list[EpochReport] = field(default_factory=list)


class Training:
    """A training in progress: network, optimizers, progress. ``run`` goes on from wherever it stands."""

    def __init__(
        self, network: Network, labels: LabelSet, sentences: Numbered, objective: Objective, recipe: Recipe
    ) -> None:
        self.network = network
        self.sentences = sentences
        self.objective = objective
        self.recipe = recipe
        self.optimizers = build_optimizers(network, recipe)
        self.average = WeightAverage(network, recipe.training.average)
        self.progress = Progress()
        constrained = recipe.model.constraints == "training"
        self._legal = legal_transitions(labels.labels, MODEL_SCHEME) if constrained else None

    def run(self, dev_score: DevScore | None) -> Iterator[StepReport | EpochReport]:
        """Train from the present epoch and step to the end, yielding after each; stop early as the settings say."""
        settings, progress = self.recipe.training, self.progress
        lengths = self.sentences.lengths
        while not self.is_complete:
            batches = draw_batches(lengths, settings.batch_size, settings.batches, settings.seed, progress.epoch)
            self.objective.begin_epoch(progress.epoch)
            self.network.train()
            while progress.step < len(batches):
                batch = batches[progress.step]
                set_rates(
                    self.optimizers,
                    settings,
                    progress.epoch * len(batches) + progress.step,
                    settings.epochs * len(batches),
                )
                progress.loss_sum += self._update(batch)
                progress.step += 1
                tokens = sum(lengths[sentence] for sentence in batch)
                yield StepReport(progress.epoch, progress.step, len(batches), tokens)
            yield self._close_epoch(dev_score)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.progress.epoch >= self.recipe.training.epochs or self.is_over

    @property
    def is_over(self) -> bool:
        """Whether patience has run out."""
        settings = self.recipe.training
        return settings.stopping != "none" and self.progress.epochs_since_best >= settings.patience

    def _update(self, batch: list[int]) -> float:
        """Take one step and return the sum of the losses of the batch."""
        settings, network = self.recipe.training, self.network
        labels, mask = padded_labels([self.sentences.labels[sentence] for sentence in batch])
        inputs = network.collate([self.sentences.tokens[sentence] for sentence in batch])
        scored = Scored(
            sentences=batch,
            labels=labels.to(network.device),
            mask=mask.to(network.device),
            reading=_read(network, inputs),
            chain=self._chain(),
            clean_reading=lambda: _without_dropout(network, inputs),
        )
        total: Tensor = self.objective(scored).sum()
        loss = total / len(batch) if settings.loss == "mean" else total
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if settings.clip:
            clip_gradients(self.optimizers[0], settings.clip)
        for optimizer in self.optimizers:
            optimizer.step()
        self.average.update()
        return total.item()

    def _chain(self) -> Chain:
        """Return the chain to train: the network's own, kept to legal moves where the settings say so."""
        chain = self.network.chain
        return chain if self._legal is None else constrain(chain, self._legal)

    def _close_epoch(self, dev_score: DevScore | None) -> EpochReport:
        progress = self.progress
        with self.average.in_place():
            scores = dev_score().micro if dev_score is not None else None
        loss = progress.loss_sum / len(self.sentences.tokens)
        value = self._value(scores.f1 if scores else None, loss)
        is_best = progress.best is None or value > progress.best
        progress.best = value if is_best else progress.best
        progress.epochs_since_best = 0 if is_best else progress.epochs_since_best + 1
        report = EpochReport(
            epoch=progress.epoch,
            loss=loss,
            precision=scores.precision if scores else None,
            recall=scores.recall if scores else None,
            f1=scores.f1 if scores else None,
            is_best=is_best,
            epochs_since_best=progress.epochs_since_best,
            facts=self.objective.end_epoch(progress.epoch),
        )
        progress.history.append(report)
        progress.epoch, progress.step, progress.loss_sum = progress.epoch + 1, 0, 0.0
        return report

    def _value(self, f1: float | None, loss: float) -> float:
        """Return what makes an epoch better than another: dev F1, a falling loss, or simply being later."""
        stopping = self.recipe.training.stopping
        if stopping == "dev" and f1 is not None:
            return f1
        return -loss if stopping == "plateau" else float(self.progress.epoch)


def _read(network: Network, inputs: Inputs) -> Pass:
    """Return what a network says of a batch, and the features it says it from."""
    features = network.encoder(inputs)
    return Pass(features, network.projection(features))


@torch.no_grad()
def _without_dropout(network: Network, inputs: Inputs) -> Pass:
    """Return what a network that is being trained says when nothing is dropped."""
    network.eval()
    reading = _read(network, inputs)
    network.train()
    return reading
