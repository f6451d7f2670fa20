"""The noise rates of labels, measured where gold labels stand beside them."""

from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.errors import InputError
from trustag.noise_rates.rates import NoiseRates
from trustag.text.labels import split_label

RatesPer: TypeAlias = Literal["none", "type", "label"]


def gold_rates(corpus: EncodedCorpus, rates_per: RatesPer = "none") -> NoiseRates:
    """Return the share of labels that differ from gold, among ``O`` labels and among entity labels.

    With ``rates_per`` each type, or each label, has a rate of its own as well. Tokens whose label or gold label is
    unknown, or whose label was reviewed, do not count.
    """
    if corpus.gold_ids is None:
        raise InputError(
            "there is no gold column to measure noise on",
            remedy="use method.rates.source=auto and method.parity.later_rates=same",
        )
    given, gold = corpus.unreviewed_ids, corpus.gold_ids
    known = (given >= 0) & (gold >= 0)
    wrong = given != gold

    def rate(group: Tensor) -> float:
        members = group & known
        return float((members & wrong).sum()) / max(int(members.sum()), 1)

    members: dict[str, list[int]] = {}
    for index, label in enumerate(corpus.labels.labels[1:], start=1):
        if rates_per != "none":
            members.setdefault(label if rates_per == "label" else split_label(label)[1], []).append(index)
    by_group = {name: rate(torch.isin(given, torch.tensor(indices))) for name, indices in members.items()}
    return NoiseRates(rate(given == 0), rate(given > 0), by_group)
