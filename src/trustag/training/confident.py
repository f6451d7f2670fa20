"""The paper's objective: labels a model doubts are not believed, only kept to the part that looks right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import torch
from torch import Tensor

from trustag.confidence.calibration import allowed_labels, label_parts, part_scores
from trustag.confidence.dynamics import Dynamics
from trustag.confidence.probabilities import confidence, token_probabilities
from trustag.confidence.selection import NoiseRates, drop_ratio, kept_count, label_groups, most_confident
from trustag.confidence.tellings import Tellings
from trustag.confidence.untrained_labels import idle_scores
from trustag.crf import partial_loss
from trustag.data.encoded_corpus import Numbered
from trustag.label_quality.detection import detection
from trustag.noise.surface_names import Name
from trustag.recipes.settings import Recipe
from trustag.seeded_random import SeededRandom
from trustag.text.labels import LabelSet
from trustag.training.objectives import Scored


@dataclass(frozen=True, slots=True)
class Decision:
    """What is made of a batch: what the model believes, which labels are trusted, what each token still allows."""

    probabilities: Tensor
    trusted: Tensor
    allowed: Tensor


class ConfidentLabels:
    """Trusts the most confident labels of each group and marginalises over what the others allow (eq. 8).

    Confidence is recorded for every token and epoch, and ranked by the running mean of that record: over the epoch
    when one begins, or over each batch as soon as the present pass has been recorded. A ``prior`` confidence from
    elsewhere is added, at the weight the settings give it. Labels that a person has decided
    on are always trusted and never ranked. Where the settings say so, the same one of the ``names`` is told to be no
    entity only so often in an epoch.
    """

    def __init__(
        self,
        sentences: Numbered,
        labels: LabelSet,
        rates: NoiseRates,
        recipe: Recipe,
        prior: Tensor | None = None,
        names: Sequence[Sequence[Name]] = (),
    ) -> None:
        settings, epochs = recipe.confidence, recipe.training.epochs
        self.settings = settings
        self.prior = None if prior is None else settings.prior * prior
        self.groups = label_groups(labels, rates)
        self.parts = label_parts(labels)
        self.given = torch.cat(sentences.labels)
        self.doubtable, self.settled = sentences.doubtable, sentences.settled
        self.gold = torch.cat(sentences.gold) if sentences.gold is not None else None
        self.first = [0, *accumulate(sentences.lengths)]
        self.dynamics = Dynamics.empty(epochs, len(self.given))
        self.trusted = self.given >= 0
        self.ramp = min(settings.ramp, epochs)
        self.seed = recipe.training.seed
        self.tellings = Tellings(names, self.doubtable == 0, settings.tellings, self.seed)
        self.told = self.tellings.told(0)
        self.epoch = 0

    def begin_epoch(self, epoch: int) -> None:
        """Rank all labels by what earlier epochs said of them, and draw which are told."""
        self.epoch = epoch
        self.told = self.tellings.told(epoch)
        if self.settings.ranking == "epoch":
            self.trusted = self.given >= 0
            if epoch:
                scores = self.dynamics.seen(epoch).running_mean(self.settings.memory)
                everywhere = torch.arange(len(self.given))
                self.trusted = self._ranked(scores, everywhere, SeededRandom(self.seed, f"rounding of epoch {epoch}"))

    def __call__(self, batch: Scored) -> Tensor:
        """Return the partially marginalised loss of each sentence."""
        decision = self.decide(batch)
        loss = partial_loss(batch.emissions, batch.chain, batch.mask, decision.allowed).loss
        weight = self.settings.token_loss
        return loss + weight * _token_loss(batch, decision.trusted) if weight else loss

    def decide(self, batch: Scored) -> Decision:
        """Record what the model says of a batch and return which labels it still trusts and allows."""
        settings = self.settings
        reading = batch.reading if settings.passes == "training" else batch.clean_reading()
        idle = idle_scores(reading.features, self.seed) if settings.idle_labels else None
        probabilities = token_probabilities(settings.scoring, reading.emissions, batch.chain, batch.mask, idle)
        places = self._places(batch)
        scores = confidence(probabilities, batch.labels)
        self.dynamics.record(self.epoch, places, scores[batch.mask], probabilities.argmax(-1)[batch.mask])
        if settings.ranking == "batch":
            rng = SeededRandom(self.seed, f"rounding of epoch {self.epoch}, sentence {batch.sentences[0]}")
            recent = self.dynamics.seen(self.epoch + 1).of(places).running_mean(settings.memory)
            self.trusted[places] = self._ranked(recent, places, rng)
        trusted = torch.zeros_like(batch.mask)
        trusted[batch.mask] = (self.trusted[places] & self.told[places]).to(trusted.device)
        parts = self.parts.to(probabilities.device)
        evidence = None
        if settings.calibration:
            evidence = part_scores(
                probabilities, batch.labels, parts, by=settings.part_score, count_outside=settings.part_outside
            )
        return Decision(probabilities, trusted, allowed_labels(batch.labels, trusted, parts, evidence))

    def end_epoch(self, epoch: int) -> dict[str, float]:
        """Return how much was distrusted, how confident labels were; with gold, how well distrust found wrong ones."""
        given, distrusted = self.given, (self.given >= 0) & ~self.trusted
        facts = {
            "distrusted_negative": _share(distrusted, given == 0),
            "distrusted_positive": _share(distrusted, given > 0),
        }
        if self.gold is None:
            return facts
        known = (given >= 0) & (self.gold >= 0)
        scores, is_wrong = self.dynamics.scores[epoch], given != self.gold
        for name, group in (("negative", given == 0), ("positive", given > 0)):
            facts[f"confidence_clean_{name}"] = _mean(scores, known & group & ~is_wrong)
            facts[f"confidence_noisy_{name}"] = _mean(scores, known & group & is_wrong)
        for name, found in detection(given, self.gold, distrusted).summary().items():
            facts.update({f"detection_{key}_{name}": found[key] for key in ("precision", "recall", "f1")})
        return facts

    def state(self) -> dict[str, Tensor]:
        """Return the record so far and which labels are trusted now."""
        return {"scores": self.dynamics.scores, "beliefs": self.dynamics.beliefs, "trusted": self.trusted}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the record of a checkpoint."""
        self.dynamics = Dynamics(state["scores"], state["beliefs"])
        self.trusted = state["trusted"]

    def _ranked(self, scores: Tensor, places: Tensor, rng: SeededRandom) -> Tensor:
        """Return which labels at ``places`` stay trusted by ``scores`` at the drop ratio of the present epoch."""
        settings = self.settings
        if self.prior is not None:
            scores = scores + self.prior[places]
        groups = self.groups.of(self.doubtable[places])
        keep = []
        for group, rate in enumerate(self.groups.rates):
            ratio = drop_ratio(rate, self.epoch, self.ramp, settings.schedule)
            keep.append(kept_count(int((groups == group).sum()), ratio, settings.rounding, rng))
        return most_confident(scores, groups, keep) | self.settled[places]

    def _places(self, batch: Scored) -> Tensor:
        """Return where the tokens of a batch stand among all tokens, in the order in which the mask gives them."""
        return torch.cat([torch.arange(self.first[number], self.first[number + 1]) for number in batch.sentences])


def _token_loss(batch: Scored, trusted: Tensor) -> Tensor:
    """Return the softmax loss of the trusted tokens of each sentence."""
    by_label = batch.emissions.log_softmax(-1)
    return -(confidence(by_label, batch.labels) * trusted).sum(1)


def _share(part: Tensor, whole: Tensor) -> float:
    return float((part & whole).sum() / whole.sum().clamp(min=1))


def _mean(values: Tensor, where: Tensor) -> float:
    return float(values[where].mean()) if where.any() else 0.0
