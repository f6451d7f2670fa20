"""Co-teaching (Han et al., 2018): two networks, each of which learns the labels that the other finds most probable.

Networks that start elsewhere memorise different noise, so neither confirms its own errors. In each batch as many labels
are left out as the noise rates say are wrong, ``O`` and entity labels apart, fewer in the first epochs. The loss of the
others is that of a CRF in which a label that was left out allows any; with a softmax, that of the kept tokens alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import torch
from pydantic import Field
from torch import Tensor

from trustag.confidence.calibration import allowed_labels, label_parts
from trustag.confidence.probabilities import Scoring, confidence, token_probabilities
from trustag.confidence.selection import Dropping, label_groups, ranked_labels
from trustag.crossfit.heldout import estimated_rates, heldout_stage, predict_heldout
from trustag.crossfit.model_findings import findings_of_heldout, findings_of_model
from trustag.crossfit.settings import FoldSettings
from trustag.crossfit.tracking import ConfidenceTracker, TrackedObjective, Tracking
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.errors import InputError
from trustag.methods.base import Learned, as_given_stages, can_cross_validate, check_label_scores, note_single_sentence
from trustag.models.heads import label_outputs
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.noise_rates.gold_rates import gold_rates
from trustag.noise_rates.rates import NO_NOISE, FoundRates, NoiseRates
from trustag.recipes.sections import Count, Section, Share
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import Batch
from trustag.training.schedule import FitSchedule
from trustag.training.second_networks import network_state, restore_network, second_network
from trustag.training.stages import Stage
from trustag.training.task import Task

_RATES: Final = "rates"
_MODEL: Final = "as-given"
_PEER: Final = "peer."


class CoTeachingSettings(Section):
    """How many labels the networks leave out, and how they choose them."""

    rates_source: Literal["auto", "given", "oracle"] = Field(
        default="auto", description="noise rates: from out-of-fold predictions, the two below, or the gold column"
    )
    negative: Share = Field(default=0.0, description="share of O labels that miss an entity, where rates are given")
    positive: Share = Field(default=0.0, description="share of entity labels that are wrong, where rates are given")
    ramp_epochs: Count = Field(default=6, description="epochs of training.epochs until that many labels are left out")
    scoring: Scoring = Field(default="global", description="probability from a token's own scores or from all paths")
    folds: FoldSettings = FoldSettings()


@dataclass(frozen=True, slots=True)
class ChosenByPeer:
    """Given labels, as far as the other of two networks believes them; the peer is built like ``network``."""

    network: NetworkSpec
    rates: NoiseRates
    settings: CoTeachingSettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "CoTeachingObjective":
        """Return the objective with a peer that starts from other weights."""
        peer = second_network(self.network, corpus, network, schedule.seed + 1)
        tracker = ConfidenceTracker(corpus, schedule, Tracking(self.settings.scoring))
        dropping = Dropping(label_groups(corpus.labels, self.rates), schedule.stretched(self.settings.ramp_epochs))
        return CoTeachingObjective(peer, tracker, dropping)


class CoTeachingObjective(TrackedObjective):
    """The loss of both networks, each with the labels that the other chose; the record is that of the first."""

    def __init__(self, peer: Network, tracker: ConfidenceTracker, dropping: Dropping) -> None:
        super().__init__(tracker)
        self.peer = peer
        self.dropping = dropping
        self.parts = label_parts(tracker.corpus.labels)

    def networks(self) -> Iterable[Network]:
        """Return the peer."""
        return [self.peer]

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence under both networks."""
        own, _ = self.tracker.observe(batch, self.epoch)
        theirs = label_outputs(self.peer.outputs(batch.inputs, batch.mask))
        their_probabilities = token_probabilities(self.tracker.tracking.scoring, theirs)
        loss = batch.label_outputs.loss(self.allowed(batch, their_probabilities))
        return loss + theirs.loss(self.allowed(batch, own))

    def allowed(self, batch: Batch, probabilities: Tensor) -> Tensor:
        """Return the labels each token may have (sentences, tokens, labels), by a network's ``probabilities``."""
        corpus = self.tracker.corpus
        indices = corpus.token_indices(batch.sentences)
        scores = confidence(probabilities, batch.labels)[batch.mask].cpu()
        chosen = ranked_labels(scores, corpus.unreviewed_ids[indices], self.dropping, self.epoch)
        trusted = torch.zeros_like(batch.mask)
        trusted[batch.mask] = (chosen | corpus.reviewed[indices]).to(trusted.device)
        return allowed_labels(batch.labels, trusted, self.parts.to(trusted.device), None)

    def state(self) -> dict[str, Tensor]:
        """Return the record so far and the weights of the peer."""
        return {**super().state(), **network_state(self.peer, _PEER)}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the record and the peer of a checkpoint."""
        super().restore(state)
        restore_network(self.peer, _PEER, state)


class CoTeaching:
    """Trains two networks that choose labels for each other, and keeps the first."""

    summary = "Train two networks that choose labels for each other (co-teaching)."
    Settings = CoTeachingSettings

    def check(self, task: Task, settings: CoTeachingSettings) -> None:
        """Refuse to measure noise without gold, and a head without scores of labels."""
        check_label_scores(task)
        if settings.rates_source == "oracle" and task.corpus.gold_ids is None:
            raise InputError(
                "there is no gold column to measure noise on", remedy="give one, or use method.rates_source=auto"
            )

    def plan(self, task: Task, settings: CoTeachingSettings) -> Sequence[Stage]:
        """Plan the training of both networks, after fold models where noise rates are estimated."""
        training = as_given_stages(task)
        if settings.rates_source != "auto" or not can_cross_validate(task):
            return training
        return [heldout_stage(task, settings.folds, _RATES, "How noisy are the labels?"), *training]

    def train(self, task: Task, settings: CoTeachingSettings, jobs: Jobs) -> Learned:
        """Find the noise rates, then train both networks."""
        rates, predictions = FoundRates("given", NoiseRates(settings.negative, settings.positive)), None
        if settings.rates_source == "oracle":
            rates = FoundRates("oracle", gold_rates(task.corpus).capped())
        elif settings.rates_source == "auto" and can_cross_validate(task):
            predictions = predict_heldout(task, jobs, settings.folds, _RATES)
            rates = estimated_rates(predictions)
        elif settings.rates_source == "auto":
            note_single_sentence(jobs.watch)
            rates = FoundRates("given", NO_NOISE)
        objective = ChosenByPeer(task.network, rates.rates, settings)
        model = jobs.run(_MODEL, {_MODEL: Job(task.fit(objective), task.corpus.tokens, keeps_model=True)})[_MODEL]
        scores = model.record["scores"][model.kept_epoch.epoch]
        dropping = Dropping(label_groups(task.corpus.labels, rates.rates), ramp=1)
        trusted = ranked_labels(scores, task.corpus.unreviewed_ids, dropping, 0)
        fixed = trusted & (task.corpus.label_ids > 0)
        gold_used_for = "the noise rates" if settings.rates_source == "oracle" else ""
        if predictions is None:
            findings = findings_of_model(task, model, trusted, rates, fixed)
        else:
            findings = findings_of_heldout(predictions, model, trusted, rates, fixed)
        return Learned(model, findings, gold_used_for=gold_used_for)


METHOD: Final = CoTeaching()
