"""A decoder for any head whose outputs for a corpus tell every probability."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from trustag.crf import legal_transitions
from trustag.crf.crf_outputs import LabelSequence
from trustag.data.corpus_outputs import CorpusOutputs
from trustag.models.heads import Head
from trustag.text.labels import OUTSIDE
from trustag.text.schemes import Scheme, write_spans
from trustag.text.spans import Span


class CorpusDecoder:
    """Predicts batch after batch through the corpus outputs of a head, for heads without a faster way of their own.

    The labels must be in IOBES, in which the labels of an entity tell where it ends.
    """

    def __init__(self, head: Head, *, legal_only: bool) -> None:
        labels = head.labels
        if labels.scheme is not Scheme.IOBES:
            raise ValueError(f"labels in {labels.scheme} do not tell where an entity ends")
        self._head = head
        self._moves = legal_transitions(labels.labels, labels.scheme) if legal_only else None

    def best_labels(self, scores: Tensor, lengths: Sequence[int]) -> list[list[int]]:
        """Return the best label indices of each sentence, without padding."""
        best = self._outputs(scores, lengths).best_labels()
        return [row.tolist() for row in torch.split(best, list(lengths))]

    def marginals(self, scores: Tensor, lengths: Sequence[int], temperature: float) -> Tensor:
        """Return the probability of each label at each token, (sentences, tokens, labels), zero in the padding."""
        found = self._outputs(scores, lengths).at(temperature).marginals()
        return pad_sequence(list(torch.split(found, list(lengths))), batch_first=True)

    def span_probabilities(
        self, scores: Tensor, lengths: Sequence[int], spans: Sequence[Sequence[Span]], temperature: float
    ) -> list[float]:
        """Return the probability that each span is an entity of its type, sentence after sentence."""
        asked = [self._written(sentence, span) for sentence, own in enumerate(spans) for span in own]
        return self._outputs(scores, lengths).at(temperature).probabilities_of(asked)

    def _outputs(self, scores: Tensor, lengths: Sequence[int]) -> CorpusOutputs:
        rows = torch.cat([row[:length] for row, length in zip(scores, lengths, strict=True)])
        outputs = self._head.corpus_outputs(lengths, rows.cpu())
        return outputs if self._moves is None else outputs.legal(self._moves)

    def _written(self, sentence: int, span: Span) -> LabelSequence:
        """Return the labels of an entity."""
        size, index = span.end - span.start, self._head.labels.index
        labels = write_spans([Span(0, size, span.type)], [OUTSIDE] * size, self._head.labels.scheme)
        return LabelSequence(sentence, span.start, tuple(index[str(label)] for label in labels))
