"""What a run found of the labels it was given: new labels and every change, the confidence in each, the issues."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec.structs import replace
from torch import Tensor

from trustag.confidence.calibration import label_parts, part_scores
from trustag.confidence.probabilities import confidence
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus, decode_labels
from trustag.issues.evidence import LabelEvidence
from trustag.issues.finding import evidence_ranking, find_issues
from trustag.issues.issue import Issue
from trustag.issues.ranking import fitted_ranking
from trustag.issues.same_words import shared_doubt
from trustag.label_quality.detection import Detection, detection
from trustag.noise_rates.rates import FoundRates
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence


@dataclass(frozen=True, slots=True)
class NewLabels:
    """The labels that a round of a method made (tokens,), and the probabilities they come from (tokens, labels)."""

    round: int
    label_ids: Tensor
    probabilities: Tensor


@dataclass(frozen=True, slots=True)
class LabelFindings:
    """What a method says of the labels of its task, beside the model it trained.

    ``evidence`` is that of all its models together, ``heldout`` (tokens, labels) the probabilities of those alone that
    did not see a label, ``suggested`` (tokens,) their labels, and ``trusted`` (tokens,) the labels the method trusts.
    ``spread`` (tokens,) is the deviation of the training confidence over the epochs. ``temperature`` gives what makes
    the probabilities of such models reliable, from how likely each label is wrong.
    """

    noise_rates: FoundRates
    evidence: LabelEvidence
    heldout: Tensor
    suggested: Tensor
    trusted: Tensor
    new_labels: Sequence[NewLabels]
    kept_round: int
    spread: Tensor | None = None
    temperature: Callable[[Tensor], float] = lambda _: 1.0

    @classmethod
    def of_one_model(
        cls, noise_rates: FoundRates, evidence: LabelEvidence, heldout: Tensor, trusted: Tensor, new_labels: Tensor
    ) -> "LabelFindings":
        """Return the findings of a method that replaces labels once, by ``new_labels`` (tokens,)."""
        return cls(
            noise_rates=noise_rates,
            evidence=evidence,
            heldout=heldout,
            suggested=evidence.best_labels(None),
            trusted=trusted,
            new_labels=[NewLabels(1, new_labels, heldout)],
            kept_round=1,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """A label that a round changed, in the scheme of the corpus, with the out-of-fold probability of both labels."""

    round: int
    sentence: int
    token: int
    text: str
    before: Label
    after: Label
    score_before: float | None
    score_after: float


@dataclass(frozen=True, slots=True)
class LabelAnalysis:
    """The noise rates, what the kept round made of the labels, and with gold how well wrong ones were found.

    ``relabelled`` are the training sentences with their new labels, ``changes`` what differs from the given ones;
    ``all_changes`` are those of every round. ``columns`` are those of ``confidence.npz``, one entry a token but for the
    ``names`` of the labels; ``issues`` the entities, given or missed, that look wrong, worst first; ``temperature`` is
    what makes the probabilities of models of these labels reliable.
    """

    rates: FoundRates
    round: int
    rounds: int
    relabelled: tuple[Sentence, ...]
    changes: tuple[Change, ...]
    all_changes: tuple[Change, ...]
    columns: Mapping[str, npt.NDArray[Any]]
    issues: tuple[Issue, ...]
    temperature: float
    detection: Detection | None

    @property
    def labels(self) -> int:
        """How many labels there are."""
        return sum(len(sentence) for sentence in self.relabelled)

    @property
    def changed(self) -> int:
        """How many of them the kept round changed."""
        return len(self.changes)

    def changes_by_round(self) -> list[int]:
        """Return how many labels each round changed."""
        return [sum(change.round == number for change in self.all_changes) for number in range(1, self.rounds + 1)]

    def summary(self) -> dict[str, object]:
        """Return the same for manifests and screens."""
        return {
            "rates": self.rates.summary(),
            "round": self.round,
            "labels": self.labels,
            "changed": self.changed,
            "temperature": self.temperature,
            "detection": self.detection.summary() if self.detection else None,
        }


def analyse_labels(
    sentences: Sequence[Sentence], corpus: EncodedCorpus, scheme: Scheme, found: LabelFindings
) -> LabelAnalysis:
    """Return everything that follows from what a method found of the labels of ``sentences``, written in ``scheme``."""
    changes = [change for new in found.new_labels for change in _changes(sentences, corpus, scheme, new)]
    kept = next(new for new in found.new_labels if new.round == found.kept_round)
    rates = found.noise_rates.rates.negative, found.noise_rates.rates.positive
    kinds = found.noise_rates.kinds
    ranking = evidence_ranking(found.evidence, rates, None if kinds is None else kinds.of_labels)
    seen = None if found.evidence.training_confidence is None else found.evidence.training_confidence.numpy()
    given, known_wrong = found.evidence.given.numpy(), _marks(found.evidence.known_wrong)
    wrong = ranking.how_wrong(found.evidence.confidence, seen, given > 0, known_wrong).astype(np.float64)
    words = (token for sentence in sentences for token in sentence.tokens)
    return LabelAnalysis(
        rates=found.noise_rates,
        round=found.kept_round,
        rounds=len(found.new_labels),
        relabelled=tuple(_with_labels(sentences, corpus, scheme, kept.label_ids)),
        changes=tuple(change for change in changes if change.round == found.kept_round),
        all_changes=tuple(changes),
        columns=_columns(corpus, found, shared_doubt(wrong, words, given).astype(np.float64)),
        issues=tuple(find_issues(sentences, found.evidence, corpus.labels, scheme, ranking)),
        temperature=found.temperature(torch.from_numpy(_heldout_doubt(found, rates))),
        detection=_detection(corpus, found),
    )


def _columns(
    corpus: EncodedCorpus, found: LabelFindings, wrong: npt.NDArray[np.float64]
) -> dict[str, npt.NDArray[Any]]:
    """Return what was found of every token's label, as columns.

    Scores and suggestions are those of models that did not see the label; how likely it is wrong, all models say.
    """
    given, heldout = corpus.label_ids, found.heldout
    parts = part_scores(heldout, given, label_parts(corpus.labels))
    may_be_wrong = (corpus.unreviewed_ids != NO_LABEL).numpy()
    columns: dict[str, npt.NDArray[Any]] = {
        "sentence": np.repeat(np.arange(len(corpus)), corpus.lengths),
        "token": np.concatenate([np.arange(length) for length in corpus.lengths]),
        "label": given.numpy().astype(np.int16),
        "score": confidence(heldout, given).numpy(),
        "position_score": parts.position.numpy(),
        "type_score": parts.type.numpy(),
        "trusted": found.trusted.numpy(),
        "suggested": found.suggested.numpy().astype(np.int16),
        "suggested_score": confidence(heldout, found.suggested).numpy(),
        "names": np.array(corpus.labels.labels),
        "wrong": np.where(may_be_wrong, wrong, 0.0).astype(np.float32),
    }
    if found.evidence.training_confidence is not None and found.spread is not None:
        columns["mean"] = found.evidence.training_confidence.numpy()
        columns["spread"] = found.spread.numpy()
    return columns


def _heldout_doubt(found: LabelFindings, rates: tuple[float, float]) -> npt.NDArray[np.float64]:
    """Return how likely each label is wrong to models that did not see it (tokens,): whose temperature is asked for."""
    evidence = found.evidence
    given, scores = evidence.given.numpy(), confidence(found.heldout, evidence.given).numpy()
    seen = None if evidence.training_confidence is None else evidence.training_confidence.numpy()
    ranking = fitted_ranking(given, scores, seen, rates)
    return ranking.how_wrong(scores, seen, given > 0, _marks(evidence.known_wrong)).astype(np.float64)


def _marks(marks: Tensor | None) -> npt.NDArray[np.bool_] | None:
    return None if marks is None else marks.numpy()


def _detection(corpus: EncodedCorpus, found: LabelFindings) -> Detection | None:
    """Return how well distrust found wrong labels, where gold tells."""
    if corpus.gold_ids is None:
        return None
    return detection(corpus.label_ids, corpus.gold_ids, (corpus.label_ids >= 0) & ~found.trusted)


def _with_labels(
    sentences: Sequence[Sentence], corpus: EncodedCorpus, scheme: Scheme, label_ids: Tensor
) -> list[Sentence]:
    rows = decode_labels(label_ids, corpus, scheme)
    return [replace(sentence, labels=row) for sentence, row in zip(sentences, rows, strict=True)]


def _changes(sentences: Sequence[Sentence], corpus: EncodedCorpus, scheme: Scheme, new: NewLabels) -> Iterator[Change]:
    before = confidence(new.probabilities, corpus.label_ids).tolist()
    after = confidence(new.probabilities, new.label_ids).tolist()
    rows = zip(sentences, decode_labels(new.label_ids, corpus, scheme), corpus.offsets, strict=False)
    for number, (sentence, labels, offset) in enumerate(rows):
        for token, (old, label) in enumerate(zip(sentence.labels, labels, strict=True)):
            if old != label:
                known = before[offset + token] if old is not None else None
                text = sentence.tokens[token]
                yield Change(new.round, number, token, text, old, label, known, after[offset + token])
