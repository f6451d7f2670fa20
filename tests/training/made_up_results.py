"""Finished trainings with made-up outputs, for whatever is computed from them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from trustag.crf import Chain
from trustag.crf.crf_outputs import CRFOutputs
from trustag.data.corpus_outputs import CorpusOutputs
from trustag.runs.records import EpochReport
from trustag.training.fit_results import FitResult


def flat_chain(labels: int) -> Chain:
    """Return transitions between so many labels that tell nothing."""
    return Chain(torch.zeros(labels, labels), torch.zeros(labels), torch.zeros(labels))


def random_outputs(seed: int, lengths: Sequence[int], labels: int) -> CRFOutputs:
    generator = torch.Generator().manual_seed(seed)

    def drawn(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator) * 2

    logits, transitions = drawn(sum(lengths), labels), drawn(labels, labels)
    return CRFOutputs(list(lengths), logits, Chain(transitions, drawn(labels), drawn(labels)))


def result_of(
    outputs: CorpusOutputs, record: Mapping[str, Tensor] | None = None, history: Sequence[EpochReport] = ()
) -> FitResult:
    return FitResult(Path("model-best"), tuple(history), outputs, record or {})


def training_record(scores: Tensor, labels: Tensor | None = None) -> dict[str, Tensor]:
    """Return the record of a training: confidence (epochs, tokens) and the labels that the network preferred."""
    return {"scores": scores, "beliefs": torch.zeros_like(scores) if labels is None else labels}
