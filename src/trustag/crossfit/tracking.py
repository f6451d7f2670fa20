"""How the confidence of a network in each given label develops while it trains on them, recorded epoch by epoch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from torch import Tensor

from trustag.confidence.dynamics import Dynamics
from trustag.confidence.probabilities import Scoring, confidence, token_probabilities
from trustag.confidence.untrained_labels import untrained_logits
from trustag.crf.loss import one_hot_mask
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.label_quality.detection import detection
from trustag.models.heads import label_outputs
from trustag.models.network import Network
from trustag.training.objectives import Batch, StatelessObjective
from trustag.training.schedule import FitSchedule

ScoringPass: TypeAlias = Literal["training", "without dropout"]


@dataclass(frozen=True, slots=True)
class Tracking:
    """How confidence is measured: locally or globally, in which pass, and against which labels.

    With ``untrained_labels`` local confidence competes with three labels that nothing trains, as in the published code.
    """

    scoring: Scoring = "global"
    scoring_pass: ScoringPass = "training"  # noqa: S105 - no password
    untrained_labels: bool = False


class ConfidenceTracker:
    """Records the confidence in every given label of a corpus, and which label the network itself preferred."""

    def __init__(self, corpus: EncodedCorpus, schedule: FitSchedule, tracking: Tracking) -> None:
        self.corpus = corpus
        self.tracking = tracking
        self.seed = schedule.seed
        self.dynamics = Dynamics.empty(schedule.epochs, len(corpus.label_ids))

    def observe(self, batch: Batch, epoch: int) -> tuple[Tensor, Tensor]:
        """Record a batch; return its label probabilities, padded, and the indices of its tokens among all tokens."""
        tracking = self.tracking
        in_training = tracking.scoring_pass == "training"  # noqa: S105 - no password
        outputs = batch.label_outputs if in_training else label_outputs(batch.without_dropout())
        untrained = untrained_logits(outputs.features, self.seed) if tracking.untrained_labels else None
        probabilities = token_probabilities(tracking.scoring, outputs, untrained)
        indices = self.corpus.token_indices(batch.sentences)
        scores = confidence(probabilities, batch.labels)
        self.dynamics.record(epoch, indices, scores[batch.mask], probabilities.argmax(-1)[batch.mask])
        return probabilities, indices

    def facts(self, epoch: int, distrusted: Tensor) -> dict[str, float]:
        """Return how much was ``distrusted`` (tokens,); with gold, the confidence in right and wrong labels as well."""
        given, gold = self.corpus.label_ids, self.corpus.gold_ids
        facts = {
            "distrusted_negative": _share(distrusted, given == 0),
            "distrusted_positive": _share(distrusted, given > 0),
        }
        if gold is None:
            return facts
        known = (given >= 0) & (gold >= 0)
        scores, is_wrong = self.dynamics.scores[epoch], given != gold
        for name, group in (("negative", given == 0), ("positive", given > 0)):
            facts[f"confidence_clean_{name}"] = _mean(scores, known & group & ~is_wrong)
            facts[f"confidence_noisy_{name}"] = _mean(scores, known & group & is_wrong)
        for name, found in detection(given, gold, distrusted).summary().items():
            facts.update({f"detection_{key}_{name}": found[key] for key in ("precision", "recall", "f1")})
        return facts

    def state(self) -> dict[str, Tensor]:
        """Return the record so far, for a checkpoint."""
        return {"scores": self.dynamics.scores, "beliefs": self.dynamics.beliefs}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the record of a checkpoint."""
        self.dynamics = Dynamics(state["scores"], state["beliefs"])

    def record(self, epochs: int) -> dict[str, Tensor]:
        """Return the record of the first ``epochs`` epochs."""
        dynamics = self.dynamics.first(epochs)
        return {"scores": dynamics.scores, "beliefs": dynamics.beliefs}


@dataclass(frozen=True, slots=True)
class TrackedLabels:
    """Trusts every given label, as the plain CRF does, and records the network's confidence in each."""

    tracking: Tracking

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "TrackedLabelsObjective":  # noqa: ARG002
        """Return the objective for training on ``corpus``."""
        return TrackedLabelsObjective(ConfidenceTracker(corpus, schedule, self.tracking))


class TrackedObjective(StatelessObjective):
    """An objective that records the network's confidence in each given label, epoch by epoch; its loss is missing."""

    def __init__(self, tracker: ConfidenceTracker) -> None:
        self.tracker = tracker
        self.epoch = 0

    def begin_epoch(self, epoch: int) -> None:
        """Record under this epoch from now on."""
        self.epoch = epoch

    def end_epoch(self, epoch: int) -> dict[str, float]:
        """Return how confident the network was in right and in wrong labels, where gold tells."""
        return self.tracker.facts(epoch, self.tracker.corpus.is_reviewed & False)

    def state(self) -> dict[str, Tensor]:
        """Return the record so far."""
        return self.tracker.state()

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the record of a checkpoint."""
        self.tracker.restore(state)

    def record(self, epochs: int) -> dict[str, Tensor]:
        """Return the record of the first ``epochs`` epochs."""
        return self.tracker.record(epochs)


class TrackedLabelsObjective(TrackedObjective):
    """The negative log-likelihood of the given labels, with a record."""

    def __call__(self, batch: Batch) -> Tensor:
        """Return the negative log-likelihood of each sentence's labels."""
        self.tracker.observe(batch, self.epoch)
        outputs = batch.label_outputs
        known = one_hot_mask(batch.labels, outputs.logits.shape[-1])
        return outputs.loss(known | (batch.labels == NO_LABEL)[..., None])


def recorded_dynamics(record: Mapping[str, Tensor]) -> Dynamics | None:
    """Return what a tracker left in the record of a training, if one was at work."""
    return Dynamics(record["scores"], record["beliefs"]) if "scores" in record else None


def _share(part: Tensor, whole: Tensor) -> float:
    return float((part & whole).sum() / whole.sum().clamp(min=1))


def _mean(values: Tensor, where: Tensor) -> float:
    return float(values[where].mean()) if where.any() else 0.0
