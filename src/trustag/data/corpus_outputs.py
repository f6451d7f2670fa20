"""What a model says of the sentences of a corpus, in a form from which every probability follows.

Out-of-fold predictions, label evidence, issues and the temperature need no more of a model than this, whichever head it
has.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, Self, runtime_checkable

from torch import Tensor

from trustag.crf import LegalTransitions
from trustag.crf.crf_outputs import LabelSequence
from trustag.errors import InputError


class CorpusOutputs(Protocol):
    """The outputs of a model for some sentences; their tokens stand in a row.

    ``allowed`` (tokens, labels) says which labels each token may have; probabilities are then those among the label
    sequences inside it, and without it those among all.
    """

    @property
    def lengths(self) -> Sequence[int]:
        """How many tokens each sentence has."""
        ...

    def tensors(self) -> Mapping[str, Tensor]:
        """Return the outputs as named tensors, for a file."""
        ...

    def of(self, sentences: Sequence[int]) -> Self:
        """Return the outputs for some of the sentences, by their indices."""
        ...

    def legal(self, moves: LegalTransitions) -> Self:
        """Return the same with illegal label sequences ruled out, if the head gives any a probability."""
        ...

    def at(self, temperature: float) -> Self:
        """Return the same at another temperature: probabilities are flatter above 1 and sharper below."""
        ...

    def mean_with(self, others: Sequence[Self]) -> Self:
        """Return the ensemble with other models of the same kind, for the same sentences."""
        ...

    def marginals(self, allowed: Tensor | None = None) -> Tensor:
        """Return the probability of each label at each token: (tokens, labels)."""
        ...

    def best_labels(self, allowed: Tensor | None = None) -> Tensor:
        """Return the label of each token in the best label sequence: (tokens,)."""
        ...

    def probabilities_of(self, sequences: Sequence[LabelSequence], allowed: Tensor | None = None) -> list[float]:
        """Return the probability of each sequence of labels of neighbouring tokens."""
        ...


@runtime_checkable
class LabelScores(Protocol):
    """Outputs of a head that scores the labels of each token by itself."""

    @property
    def emissions(self) -> Tensor:
        """The score of each label at each token: (tokens, labels)."""
        ...


def label_scores(outputs: CorpusOutputs) -> Tensor:
    """Return the score of each label at each token, (tokens, labels); an error if the head does not give such."""
    if not isinstance(outputs, LabelScores):
        raise InputError("the head does not score labels token by token", remedy="use model.head=crf or softmax")
    return outputs.emissions
