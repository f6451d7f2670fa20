"""The share of tokens that are part of an entity, and how the rounds lead up to it."""

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.errors import InputError
from trustag.methods.cbl.settings import CBLSettings
from trustag.noise_rates.rates import NoiseRates
from trustag.text.labels import Label, is_positive
from trustag.training.task import Task

_ROUNDING: Final = 1e-6


class Ratio(NamedTuple):
    """The share of tokens that are part of an entity, and where it comes from."""

    value: float
    source: str


def entity_ratio(task: Task, settings: CBLSettings) -> Ratio | None:
    """Return the ratio of entity tokens that the settings ask for, None where it is to be estimated from the labels."""
    source = settings.ratio_source
    if settings.entity_ratio and source in {"dev", "gold", "estimated"}:
        finding = f"method.entity_ratio is set although method.ratio_source={source}"
        raise InputError(finding, remedy="leave one of the two out")
    dev = (label for sentence in task.dev for label in sentence.labels)
    gold = (label for sentence in task.sentences for label in sentence.gold or ())
    found = {"given": settings.entity_ratio or None, "dev": entity_share(dev), "gold": entity_share(gold)}
    for name, value in found.items():
        if value is not None and source in {name, "auto"}:
            return Ratio(value, name)
    if source in {"auto", "estimated"}:
        return None
    missing = {"dev": "the dev split has no labels", "gold": "there is no gold column"}
    finding = missing.get(source, "the share of entity tokens is not known")
    raise InputError(f"cbl: {finding}", remedy="set method.entity_ratio, or use method.ratio_source=estimated")


def labelled_share(corpus: EncodedCorpus) -> float:
    """Return the share of tokens that have an entity label."""
    return int((corpus.label_ids > 0).sum()) / len(corpus.label_ids)


def estimated_ratio(labelled: float, rates: NoiseRates) -> Ratio:
    """Return the ratio that follows from the labelled share and from how many ``O`` labels miss an entity.

    >>> estimated_ratio(0.1, NoiseRates(0.1, 0.5))
    Ratio(value=0.19, source='estimated')
    """
    return Ratio(labelled + (1 - labelled) * rates.negative, "estimated")


def entity_share(labels: Iterable[Label]) -> float | None:
    """Return the share of entity labels among the known ones; None if none is known.

    >>> entity_share(["O", "B-PER", None, "O", "O"])
    0.25
    """
    known = [is_positive(label) for label in labels if label is not None]
    return sum(known) / len(known) if known else None


def round_shares(labelled: float, ratio: Ratio, settings: CBLSettings) -> list[float]:
    """Return the share of entity tokens in each round: from the labelled share up, below the ratio plus the margin.

    Steps are as large as the settings say; towards an estimated ratio there is a fixed number of equal steps, since the
    stages of a run are known before it begins.

    >>> [round(share, 2) for share in round_shares(0.10, Ratio(0.12, "dev"), CBLSettings())]
    [0.1, 0.12, 0.14, 0.16]
    >>> [round(share, 2) for share in round_shares(0.10, Ratio(0.15, "estimated"), CBLSettings())]
    [0.1, 0.12, 0.14, 0.16, 0.18]
    """
    limit = min(ratio.value + settings.ratio_margin, 1.0)
    if ratio.source == "estimated":
        count = settings.estimated_rounds
        return [labelled + number * max(limit - labelled, 0.0) / count for number in range(count)]
    rounds = math.ceil((limit - labelled) / settings.ratio_step - _ROUNDING)
    return [labelled + number * settings.ratio_step for number in range(max(rounds, 0))]
