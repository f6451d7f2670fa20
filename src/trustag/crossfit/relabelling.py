"""New labels for a corpus, from models that did not see the old ones."""

from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.confidence.selection import kept_count, label_groups, most_confident
from trustag.crossfit.predictions import HeldoutStatistics, OutOfFoldPredictions, allowed_by
from trustag.crossfit.settings import Reannotate
from trustag.noise_rates.rates import NoiseRates
from trustag.text.label_sets import LabelSet


@dataclass(frozen=True, slots=True)
class Relabelled:
    """The corpus as a round sees it: statistics of every given label, which labels were fixed, and the new ones.

    ``probabilities`` (tokens, labels) are those of the new labels, given the fixed ones; ``label_ids`` (tokens,) the
    best path under the same; ``suggested`` (tokens,) the best path when nothing is fixed.
    """

    statistics: HeldoutStatistics
    fixed: Tensor
    probabilities: Tensor
    label_ids: Tensor
    suggested: Tensor


def relabel(
    predictions: OutOfFoldPredictions, statistics: HeldoutStatistics, rates: NoiseRates, reannotate: Reannotate
) -> Relabelled:
    """Return new labels for the corpus: from the original ones each time, never from those of the round before.

    Reviewed labels stay.
    """
    corpus = predictions.corpus
    visible = predictions.visible_rates(rates)
    trusted = fixed_labels(predictions.ranked_ids, statistics.trust(), corpus.labels, visible, reannotate)
    fixed = corpus.reviewed | trusted
    allowed = allowed_by(fixed, corpus)
    return Relabelled(
        statistics,
        fixed,
        predictions.probabilities(allowed),
        predictions.best_labels(allowed),
        predictions.best_labels(None),
    )


def fixed_labels(
    label_ids: Tensor, trust: Tensor, labels: LabelSet, rates: NoiseRates, reannotate: Reannotate
) -> Tensor:
    """Return which labels relabelling must leave as they are: (tokens,).

    ``outside`` fixes every entity label; ``untrusted`` frees the least trusted ones, as many as the noise rates say are
    wrong; ``all`` fixes nothing. Labels that are ``O`` or unknown are always free.
    """
    is_entity = label_ids > 0
    if reannotate == "outside":
        return is_entity
    if reannotate == "all":
        return torch.zeros_like(is_entity)
    groups = label_groups(labels, rates)
    group = groups.of(label_ids)
    keep = [
        kept_count(int((group == number).sum()), rate, "nearest") if number else 0
        for number, rate in enumerate(groups.rates)
    ]
    return most_confident(trust, group, keep)
