"""What models say of the labels of a corpus: from it issues, confidence and suggestions follow, for any method.

Probabilities must come from models that did not train on the labels; it does not matter which library made them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from trustag.confidence.probabilities import confidence
from trustag.crf import Chain, legal_transitions
from trustag.crf.crf_outputs import CRFOutputs, LabelSequence
from trustag.data.corpus_outputs import CorpusOutputs
from trustag.data.encoded_corpus import EncodedCorpus

_SMALLEST = 1e-12


@dataclass(frozen=True, slots=True)
class LabelEvidence:
    """What models say of every label, for all tokens in a row, labels as indices.

    ``given`` (tokens,) are the labels of the corpus, ``probabilities`` (tokens, labels) the label marginals of the
    models; ``best_labels`` gives the labels on their best path inside those allowed (tokens, labels), and
    ``probabilities_of`` how probable a label sequence is to them. Where models that trained on the labels kept a
    record, ``training_confidence`` (tokens,) is their mean confidence in each given label over the epochs, and
    ``agreement`` tells in which share of epochs they preferred other ones. Some labels may be ``known_wrong``
    (tokens,) beforehand.
    """

    given: Tensor
    probabilities: Tensor
    best_labels: Callable[[Tensor | None], Tensor]
    probabilities_of: Callable[[Sequence[LabelSequence]], list[float]]
    training_confidence: Tensor | None = None
    agreement: Callable[[Tensor], Tensor | None] | None = None
    known_wrong: Tensor | None = None

    @property
    def confidence(self) -> npt.NDArray[np.float32]:
        """The probability of each given label: (tokens,)."""
        found: npt.NDArray[np.float32] = confidence(self.probabilities, self.given).numpy()
        return found


def evidence_from_outputs(corpus: EncodedCorpus, outputs: CorpusOutputs, known: Tensor | None = None) -> LabelEvidence:
    """Return the evidence of one model with these ``outputs`` for the sentences of ``corpus``.

    ``known`` (tokens, labels) keeps it to labels that are known to be right.
    """

    def best(allowed: Tensor | None) -> Tensor:
        if known is None or allowed is None:
            return outputs.best_labels(known if allowed is None else allowed)
        fixed = known.sum(-1, keepdim=True) == 1
        return outputs.best_labels(torch.where(fixed, known, allowed))

    return LabelEvidence(
        corpus.label_ids,
        outputs.marginals(known),
        best,
        lambda sequences: outputs.probabilities_of(sequences, known),
    )


def evidence_from_probabilities(corpus: EncodedCorpus, probabilities: Tensor) -> LabelEvidence:
    """Return the evidence of out-of-fold ``probabilities`` (tokens, labels), each token by itself.

    Labels of different tokens are taken to be independent, but for illegal label sequences, which are ruled out.
    """
    labels, count = corpus.labels, len(corpus.labels)
    free = Chain(torch.zeros(count, count), torch.zeros(count), torch.zeros(count))
    outputs = CRFOutputs(corpus.lengths, probabilities.clamp(min=_SMALLEST).log(), free)
    return evidence_from_outputs(corpus, outputs.legal(legal_transitions(labels.labels, labels.scheme)))
