"""The paper's objective: labels with little confidence are not trusted, only kept to the part that looks right."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.confidence.calibration import allowed_labels, label_parts, part_scores
from trustag.confidence.selection import Dropping, label_groups, ranked_labels
from trustag.crossfit.tracking import ConfidenceTracker, Tracking
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.methods.confidence.negative_sampling import NegativeSampler
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.models.network import Network
from trustag.noise.surface_names import names_of
from trustag.noise_rates.rates import NoiseRates
from trustag.seeded_random import SeededRandom
from trustag.text.sentences import Sentence
from trustag.training.objectives import Batch, StatelessObjective
from trustag.training.schedule import FitSchedule


@dataclass(frozen=True, slots=True)
class ConfidentLabels:
    """Distrusts the least confident labels of each group, as many as the noise ``rates`` say are wrong."""

    rates: NoiseRates
    settings: ConfidenceSettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "ConfidenceObjective":  # noqa: ARG002
        """Return the objective for training on ``corpus``."""
        return ConfidenceObjective(corpus, schedule, self.rates, self.settings)


@dataclass(frozen=True, slots=True)
class Decision:
    """What is made of a batch: label probabilities, which labels are trusted, which labels each token may have."""

    probabilities: Tensor
    trusted: Tensor
    allowed: Tensor


class ConfidenceObjective(StatelessObjective):
    """Trusts the most confident labels of each group and marginalises over what the others allow (eq. 8).

    Confidence is recorded for every token and epoch, and ranked by the running mean of that record: over the corpus
    when an epoch begins, or over each batch as soon as its present pass has been recorded. Reviewed labels are always
    trusted and never ranked. Of the ``O`` labels of a name only some are visible in an epoch.
    """

    def __init__(
        self, corpus: EncodedCorpus, schedule: FitSchedule, rates: NoiseRates, settings: ConfidenceSettings
    ) -> None:
        parity = settings.parity
        self.settings = settings
        self.corpus = corpus
        self.parts = label_parts(corpus.labels)
        tracking = Tracking(settings.scoring, parity.scoring_pass, parity.untrained_labels)
        self.tracker = ConfidenceTracker(corpus, schedule, tracking)
        self.trusted = corpus.label_ids >= 0
        ramp = min(schedule.stretched(settings.ramp_epochs), schedule.epochs)
        self.dropping = Dropping(label_groups(corpus.labels, rates), ramp, parity.schedule, parity.rounding)
        self.seed = schedule.seed
        self.sampler = NegativeSampler(
            _names(corpus) if settings.negatives_per_name else (),
            corpus.unreviewed_ids == 0,
            settings.negatives_per_name,
            self.seed,
        )
        self.visible = self.sampler.visible(0)
        self.epoch = 0

    def begin_epoch(self, epoch: int) -> None:
        """Rank all labels by what earlier epochs said of them, and draw which are visible."""
        self.epoch = epoch
        self.visible = self.sampler.visible(epoch)
        if self.settings.parity.ranking == "epoch":
            self.trusted = self.corpus.label_ids >= 0
            if epoch:
                scores = self.tracker.dynamics.first(epoch).running_mean(self.settings.ema_decay)
                everywhere = torch.arange(len(self.trusted))
                self.trusted = self._ranked(scores, everywhere, SeededRandom(self.seed, f"rounding of epoch {epoch}"))

    def __call__(self, batch: Batch) -> Tensor:
        """Return the partially marginalised loss of each sentence."""
        return batch.label_outputs.loss(self.decide(batch).allowed)

    def decide(self, batch: Batch) -> Decision:
        """Record what the network says of a batch and return which labels are still trusted and allowed."""
        settings, parity = self.settings, self.settings.parity
        probabilities, indices = self.tracker.observe(batch, self.epoch)
        if parity.ranking == "batch":
            rng = SeededRandom(self.seed, f"rounding of epoch {self.epoch}, sentence {batch.sentences[0]}")
            recent = self.tracker.dynamics.first(self.epoch + 1).of(indices).running_mean(settings.ema_decay)
            self.trusted[indices] = self._ranked(recent, indices, rng)
        trusted = torch.zeros_like(batch.mask)
        trusted[batch.mask] = (self.trusted[indices] & self.visible[indices]).to(trusted.device)
        parts = self.parts.to(probabilities.device)
        evidence = None
        if settings.calibration:
            evidence = part_scores(
                probabilities, batch.labels, parts, by=parity.part_score, count_outside=parity.part_outside
            )
        return Decision(probabilities, trusted, allowed_labels(batch.labels, trusted, parts, evidence))

    def end_epoch(self, epoch: int) -> dict[str, float]:
        """Return how much was distrusted, how confident labels were; with gold, how well distrust found wrong ones."""
        return self.tracker.facts(epoch, (self.corpus.label_ids >= 0) & ~self.trusted)

    def state(self) -> dict[str, Tensor]:
        """Return the record so far and which labels are trusted now."""
        return {**self.tracker.state(), "trusted": self.trusted}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the record of a checkpoint."""
        self.tracker.restore(state)
        self.trusted = state["trusted"]

    def record(self, epochs: int) -> dict[str, Tensor]:
        """Return the confidence in every label over the first ``epochs`` epochs."""
        return self.tracker.record(epochs)

    def _ranked(self, scores: Tensor, indices: Tensor, rng: SeededRandom) -> Tensor:
        """Return which labels at ``indices`` stay trusted by ``scores`` at the present drop ratio (eq. 5)."""
        chosen = ranked_labels(scores, self.corpus.unreviewed_ids[indices], self.dropping, self.epoch, rng)
        return chosen | self.corpus.reviewed[indices]


def _names(corpus: EncodedCorpus) -> list[tuple[str | None, ...]]:
    """Return the name that each token is part of, by the labels that are visible in ``corpus``."""
    rows = zip(corpus.tokens, corpus.label_names(), strict=True)
    return names_of([Sentence(tokens, labels) for tokens, labels in rows])
