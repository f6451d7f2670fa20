"""Heads: what turns the features of tokens into labels, losses and probabilities.

A head is a small module on top of an encoder. Training asks it for the outputs of a batch, from which an objective
computes its loss; prediction asks it for a decoder; what it says of whole corpora is kept as ``CorpusOutputs``. The
heads that a recipe can choose are listed in ``recipes.network_settings``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from torch import Tensor, nn

from trustag.data.corpus_outputs import CorpusOutputs
from trustag.errors import InputError
from trustag.recipes.named_parts import load_part
from trustag.recipes.network_settings import HEADS, ModelSettings
from trustag.text.label_sets import LabelSet
from trustag.text.spans import Span


class HeadOutputs(Protocol):
    """What a head says of a padded batch while it is trained; each head adds what its own objectives read."""

    @property
    def features(self) -> Tensor:
        """The features that the head was given: (sentences, tokens, width)."""
        ...

    @property
    def mask(self) -> Tensor:
        """True at tokens, false in the padding: (sentences, tokens)."""
        ...


@runtime_checkable
class LabelOutputs(HeadOutputs, Protocol):
    """The outputs of a head that scores the labels of each token: any objective over labels can be trained with it."""

    @property
    def logits(self) -> Tensor:
        """The score of each label at each token: (sentences, tokens, labels)."""
        ...

    def loss(self, allowed: Tensor) -> Tensor:
        """Return the negative log-probability of staying inside ``allowed``, for each sentence: (sentences,).

        ``allowed`` (sentences, tokens, labels) says which labels a token may have, or holds a weight for each.
        """
        ...

    def expected_loss(self, probabilities: Tensor) -> Tensor:
        """Return the expected negative log-likelihood of labels drawn from ``probabilities``: (sentences,)."""
        ...

    def marginals(self) -> Tensor | None:
        """Return the probability of each label at each token, (sentences, tokens, labels), where the head has such."""
        ...


class Decoder(Protocol):
    """Predicts with the weights a head has now, from its padded ``scores`` (sentences, tokens, width of a score)."""

    def best_labels(self, scores: Tensor, lengths: Sequence[int]) -> list[list[int]]:
        """Return the best label indices of each sentence, without padding."""
        ...

    def marginals(self, scores: Tensor, lengths: Sequence[int], temperature: float) -> Tensor:
        """Return the probability of each label at each token: (sentences, tokens, labels)."""
        ...

    def span_probabilities(
        self, scores: Tensor, lengths: Sequence[int], spans: Sequence[Sequence[Span]], temperature: float
    ) -> list[float]:
        """Return the probability that each span is an entity of its type, sentence after sentence."""
        ...


class Head(Protocol):
    """A module on top of an encoder; its label set says what it can predict.

    Its ``scores`` are ``score_width`` numbers for each token: all that prediction reads of the features. For a CRF they
    are the logits of the labels; a head that scores gaps or spans may keep there whatever it computes these from.
    """

    labels: LabelSet
    score_width: int

    def scores(self, features: Tensor, mask: Tensor) -> Tensor:
        """Return the scores (sentences, tokens, score_width) of ``features`` (sentences, tokens, width)."""
        ...

    def outputs(self, features: Tensor, mask: Tensor) -> HeadOutputs:
        """Return what the head says of a batch while it is trained."""
        ...

    def decoder(self, *, legal_only: bool) -> Decoder:
        """Return a decoder for the present weights, kept to legal label sequences if ``legal_only``."""
        ...

    def corpus_outputs(self, lengths: Sequence[int], scores: Tensor) -> CorpusOutputs:
        """Return the outputs for whole sentences of these lengths, their ``scores`` (tokens, score_width) in a row."""
        ...


@dataclass(frozen=True, slots=True)
class HeadKind:
    """A kind of head: how one is made for a label set and features of some width, and how its outputs are read again.

    ``read_outputs`` takes the lengths of sentences and what ``CorpusOutputs.tensors`` returned for them. With
    ``scores_labels`` its outputs are ``LabelOutputs`` and ``LabelScores``.
    """

    build: Callable[[LabelSet, int, ModelSettings], nn.Module]
    read_outputs: Callable[[Sequence[int], Mapping[str, Tensor]], CorpusOutputs]
    scores_labels: bool = False


def find_head(name: str, *, imports: bool = True) -> HeadKind:
    """Return the kind of head called ``name``: one of ``HEADS``, or ``package.module:NAME``.

    Unless it ``imports``, code from outside this package must have been imported before.
    """
    found = load_part(name, HEADS, "head", imports=imports)
    if not isinstance(found, HeadKind):
        raise InputError(f"{name!r} is no head", remedy="see trustag.models.heads.HeadKind")
    return found


def label_outputs(outputs: HeadOutputs) -> LabelOutputs:
    """Return ``outputs`` as those of a head that scores labels; an error for any other."""
    if not isinstance(outputs, LabelOutputs):
        finding = "this objective needs a head that scores the labels of each token"
        raise InputError(finding, remedy="use model.head=crf or softmax, or the method that the head belongs to")
    return outputs
