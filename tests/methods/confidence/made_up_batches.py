"""Batches with made-up logits for the paper's objective."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from trustag.crf import Chain
from trustag.data.encoded_corpus import EncodedCorpus, pad_labels
from trustag.methods.confidence.objective import ConfidenceObjective
from trustag.methods.confidence.settings import ConfidenceParity, ConfidenceSettings
from trustag.methods.table import choose_method, load_recipe
from trustag.models.crf_head import CRFHeadOutputs
from trustag.models.encoders import Inputs
from trustag.noise_rates.rates import NoiseRates
from trustag.text.label_sets import LabelSet
from trustag.training.objectives import Batch
from trustag.training.schedule import FitSchedule

LABELS = LabelSet(("LOC", "PER"), "BI")
OUTSIDE, B_LOC, I_LOC, B_PER, I_PER = range(5)
FLAT = Chain(torch.zeros(5, 5), torch.zeros(5), torch.zeros(5))


def paper_settings(**changes: object) -> ConfidenceSettings:
    """Return the paper's settings with changes, of whichever table a setting is."""
    settings = choose_method(load_recipe("paper")).settings
    assert isinstance(settings, ConfidenceSettings)
    parity = {name: value for name, value in changes.items() if name in ConfidenceParity.model_fields}
    own = {name: value for name, value in changes.items() if name not in parity}
    assert own.keys() <= ConfidenceSettings.model_fields.keys()
    return settings.model_copy(update={**own, "parity": settings.parity.model_copy(update=parity)})


def settings_with(**changes: object) -> ConfidenceSettings:
    """Return the paper's settings with changes; without a ramp the whole rate is distrusted at once."""
    return paper_settings(**{"ramp_epochs": 1, **changes})


def corpus_of(
    rows: Sequence[Sequence[int]],
    *,
    words: Sequence[Sequence[str]] | None = None,
    gold: Sequence[Sequence[int]] | None = None,
    reviewed: Sequence[Sequence[bool]] | None = None,
    labels: LabelSet = LABELS,
) -> EncodedCorpus:
    """Return a corpus with these label indices."""
    tokens = tuple(map(tuple, words)) if words is not None else tuple(("word",) * len(row) for row in rows)
    given = torch.tensor([label for row in rows for label in row])
    truth = None if gold is None else torch.tensor([label for row in gold for label in row])
    marks = (
        torch.zeros_like(given).bool()
        if reviewed is None
        else torch.tensor([is_one for row in reviewed for is_one in row])
    )
    return EncodedCorpus(tokens, labels, given, truth, marks)


def schedule_of(epochs: int) -> FitSchedule:
    return FitSchedule(seed=1, epochs=epochs, patience=epochs, batch_size=8, nominal_epochs=epochs)


def objective_on(
    corpus: EncodedCorpus, rates: NoiseRates, settings: ConfidenceSettings, *, epochs: int = 1
) -> ConfidenceObjective:
    return ConfidenceObjective(corpus, schedule_of(epochs), rates, settings)


def objective_of(
    rows: Sequence[Sequence[int]],
    rates: NoiseRates,
    settings: ConfidenceSettings,
    *,
    epochs: int = 1,
    gold: Sequence[Sequence[int]] | None = None,
    labels: LabelSet = LABELS,
) -> ConfidenceObjective:
    return objective_on(corpus_of(rows, gold=gold, labels=labels), rates, settings, epochs=epochs)


class NoInputs:
    """Stands for what a network reads, where there is no network."""

    def to(self, device: torch.device) -> "NoInputs":
        return self


def batch_with(sentences: Sequence[int], labels: Tensor, outputs: CRFHeadOutputs, without: CRFHeadOutputs) -> Batch:
    inputs: Inputs = NoInputs()
    return Batch(list(sentences), labels, inputs, outputs, lambda: without)


def batch_of(
    sentences: Sequence[int],
    rows: Sequence[Sequence[int]],
    logits: Sequence[Tensor],
    chain: Chain = FLAT,
    without_dropout: Sequence[Tensor] | None = None,
) -> Batch:
    """Return a batch of some sentences, given the logits of all in the training pass and in one without dropout."""
    labels, mask = pad_labels([torch.tensor(rows[number]) for number in sentences])

    def outputs(tables: Sequence[Tensor]) -> CRFHeadOutputs:
        padded = pad_sequence([tables[number] for number in sentences], batch_first=True)
        return CRFHeadOutputs(padded, padded, chain, mask)

    second = logits if without_dropout is None else without_dropout
    return batch_with(sentences, labels, outputs(logits), outputs(second))


def sure_of(*probabilities: float, label: int = OUTSIDE) -> Tensor:
    """Return logits that give ``label`` these probabilities, one a token, and the rest to all others alike."""
    rows = [[math.log((1 - share) / 4)] * 5 for share in probabilities]
    for row, share in zip(rows, probabilities, strict=True):
        row[label] = math.log(share)
    return torch.tensor(rows)
