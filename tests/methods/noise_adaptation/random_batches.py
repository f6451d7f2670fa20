"""Random corpora, batches and confusion layers, and a slow matrix."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.methods.noise_adaptation.confusion_layer import ConfusionLayer
from trustag.models.crf_head import SoftmaxHead
from trustag.models.heads import HeadOutputs
from trustag.text.label_sets import LabelSet
from trustag.training.objectives import Batch
from trustag.training.schedule import FitSchedule

LABELS = LabelSet(("PER",), "BIES")
COUNT = len(LABELS)
WIDTH = 3
SCHEDULE = FitSchedule(seed=1, epochs=4, patience=4, batch_size=8, nominal_epochs=4)


def random_corpus(lengths: Sequence[int] = (4, 1, 6), seed: int = 0) -> EncodedCorpus:
    """Return sentences with random labels; the second token of the first is unknown, its third one reviewed."""
    draw = torch.Generator().manual_seed(seed)
    tokens = sum(lengths)
    label_ids = torch.randint(COUNT, (tokens,), generator=draw)
    label_ids[1] = NO_LABEL
    reviewed = torch.zeros(tokens, dtype=torch.bool)
    reviewed[2] = True
    words = tuple(tuple("word" for _ in range(length)) for length in lengths)
    return EncodedCorpus(words, LABELS, label_ids, None, reviewed)


def batch_of(corpus: EncodedCorpus, sentences: Sequence[int], features: Tensor, head: SoftmaxHead) -> Batch:
    rows = [corpus.rows[sentence] for sentence in sentences]
    labels = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=NO_LABEL)
    longest = max(map(len, rows))
    mask = torch.arange(longest)[None] < torch.tensor([len(row) for row in rows])[:, None]
    outputs: HeadOutputs = head.outputs(features, mask)
    return Batch(list(sentences), labels, None, outputs, lambda: outputs)  # type: ignore[arg-type] # nobody reads


def random_layer(width: int, seed: int = 3) -> ConfusionLayer:
    draw = torch.Generator().manual_seed(seed)
    start = torch.rand(COUNT, COUNT, generator=draw)
    layer = ConfusionLayer(start / start.sum(1, keepdim=True), width)
    if layer.weight is not None:
        nn.init.normal_(layer.weight, generator=draw)
    return layer


def slow_matrix(layer: ConfusionLayer, features: Sequence[float]) -> list[list[float]]:
    """Return theta of one token by its definition."""
    bias = layer.bias.tolist()
    weight = None if layer.weight is None else layer.weight.tolist()
    rows = []
    for clean in range(COUNT):
        scores = []
        for noisy in range(COUNT):
            score = bias[clean][noisy]
            if weight is not None:
                score += sum(unit * value for unit, value in zip(weight[clean][noisy], features, strict=True))
            scores.append(math.exp(score))
        rows.append([score / sum(scores) for score in scores])
    return rows


def softmax(scores: Sequence[float]) -> list[float]:
    powers = [math.exp(score) for score in scores]
    return [power / sum(powers) for power in powers]
