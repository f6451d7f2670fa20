"""The training loop: a generator that yields after every step and every epoch; the caller logs, saves and stops."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count, islice
from typing import TypeAlias

import torch
from torch import Tensor

from trustag.data.encoded_corpus import EncodedCorpus, pad_labels
from trustag.models.encoders import Inputs
from trustag.models.heads import HeadOutputs
from trustag.models.network import Network
from trustag.recipes.network_settings import NetworkSettings
from trustag.recipes.settings import TrainingSettings
from trustag.runs.records import EpochReport
from trustag.text.numbers import Count
from trustag.text.scoring import EntityScores
from trustag.training.averages import WeightAverage
from trustag.training.batches import draw_batches
from trustag.training.objectives import Batch, Objective
from trustag.training.optimizers import build_optimizers, clip_gradients, set_rates
from trustag.training.schedule import FitSchedule

DevScore: TypeAlias = Callable[[], EntityScores]


@dataclass(frozen=True, slots=True)
class StepReport:
    """One update: its epoch, its number in it, and how many the epoch has."""

    epoch: int
    step: int
    steps: int


@dataclass(slots=True)
class Progress:
    """How far a training is, in numbers that fit into JSON."""

    epoch: Count = 0
    step: Count = 0
    loss_sum: float = 0.0
    best: float | None = None
    epochs_since_best: Count = 0
    history: list[EpochReport] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LoopSettings:
    """What the loop goes by: the settings of the recipe, and the schedule of this training."""

    network: NetworkSettings
    training: TrainingSettings
    schedule: FitSchedule


class Training:
    """A training in progress: network, optimizers, progress. ``run`` continues from wherever it stands."""

    def __init__(self, network: Network, corpus: EncodedCorpus, objective: Objective, settings: LoopSettings) -> None:
        self.network = network
        self.corpus = corpus
        self.objective = objective
        self.settings = settings.training
        self.schedule = settings.schedule
        self.peers = list(objective.networks())
        self.optimizers = build_optimizers(
            [network, *self.peers], settings.network, settings.training, objective.parameters()
        )
        self.average = WeightAverage(network, settings.training.average, self.peers)
        self.progress = Progress()

    def run(self, dev_score: DevScore | None) -> Iterator[StepReport | EpochReport]:
        """Train from the present epoch and step to the end, yielding after each; stop early as the settings say."""
        settings, schedule, progress = self.settings, self.schedule, self.progress
        while not self.is_complete:
            batches = self._batches()
            self.objective.begin_epoch(progress.epoch)
            for network in (self.network, *self.peers):
                network.train()
            while progress.step < len(batches):
                step = progress.epoch * len(batches) + progress.step
                set_rates(self.optimizers, settings, step, schedule.epochs * len(batches))
                self.objective.before_step(step, self.network)
                progress.loss_sum += self._update(batches[progress.step])
                progress.step += 1
                yield StepReport(progress.epoch, progress.step, len(batches))
            yield self._close_epoch(dev_score, sum(map(len, batches)))

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.progress.epoch >= self.schedule.epochs or self.is_over

    @property
    def is_over(self) -> bool:
        """Whether patience has run out."""
        return self.settings.stopping != "none" and self.progress.epochs_since_best >= self.schedule.patience

    def _batches(self) -> list[list[int]]:
        """Return the batches of the present epoch: one pass over the corpus, or the next steps of passes in a row."""
        epoch, steps = self.progress.epoch, self.schedule.epoch_steps
        if not steps:
            return self._pass(epoch)
        endless = chain.from_iterable(self._pass(number) for number in count())
        return list(islice(endless, epoch * steps, (epoch + 1) * steps))

    def _pass(self, number: int) -> list[list[int]]:
        """Return the batches of one pass over the corpus."""
        schedule = self.schedule
        return draw_batches(self.corpus.lengths, schedule.batch_size, self.settings.batches, schedule.seed, number)

    def _update(self, sentences: list[int]) -> float:
        """Take one step and return the sum of the losses of the batch."""
        settings, network = self.settings, self.network
        labels, mask = pad_labels([self.corpus.rows[sentence] for sentence in sentences])
        inputs = network.collate([self.corpus.tokens[sentence] for sentence in sentences])
        mask = mask.to(network.device)
        batch = Batch(
            sentences=sentences,
            labels=labels.to(network.device),
            inputs=inputs,
            outputs=network.outputs(inputs, mask),
            without_dropout=lambda: _without_dropout(network, inputs, mask),
        )
        total: Tensor = self.objective(batch).sum()
        loss = total / len(sentences) if settings.loss == "mean" else total
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if settings.clip:
            clip_gradients(self.optimizers[0], settings.clip)
        for optimizer in self.optimizers:
            optimizer.step()
        self.average.update()
        return total.item()

    def _close_epoch(self, dev_score: DevScore | None, sentences: int) -> EpochReport:
        progress = self.progress
        with self.average.in_place():
            scores = dev_score().micro if dev_score is not None else None
        loss = progress.loss_sum / sentences
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
        stopping = self.settings.stopping
        if stopping == "dev" and f1 is not None:
            return f1
        return -loss if stopping == "plateau" else float(self.progress.epoch)


@torch.no_grad()
def _without_dropout(network: Network, inputs: Inputs, mask: Tensor) -> HeadOutputs:
    """Return what a network that is being trained says when nothing is dropped."""
    network.eval()
    outputs = network.outputs(inputs, mask)
    network.train()
    return outputs
