"""The noise rates of labels, measured where gold stands beside them."""

from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.confidence.selection import NoiseRates
from trustag.data.encoded_corpus import Numbered
from trustag.errors import InputError
from trustag.text.label_sets import LabelSet
from trustag.text.labels import split_label

Apart: TypeAlias = Literal["none", "type", "label"]


def oracle_rates(numbered: Numbered, labels: LabelSet, apart: Apart = "none") -> NoiseRates:
    """Return the share of labels that differ from gold, among ``O`` labels and among entity labels.

    With ``apart`` those of each type, or each label, are told apart. Tokens whose label or gold label is unknown, or
    whose label a person has decided on, do not count.
    """
    if numbered.gold is None:
        raise InputError(
            "there is no gold column to measure noise on", remedy="use rates.source=auto and rates.later=same"
        )
    given, gold = numbered.doubtable, torch.cat(numbered.gold)
    known = (given >= 0) & (gold >= 0)
    wrong = given != gold

    def rate(group: Tensor) -> float:
        members = group & known
        return float((members & wrong).sum()) / max(int(members.sum()), 1)

    members: dict[str, list[int]] = {}
    for number, label in enumerate(labels.labels[1:], start=1):
        if apart != "none":
            members.setdefault(label if apart == "label" else split_label(label)[1], []).append(number)
    rates = {name: rate(torch.isin(given, torch.tensor(numbers))) for name, numbers in members.items()}
    return NoiseRates(rate(given == 0), rate(given > 0), rates)
