"""The CRF head and the softmax head: both score the labels of each token, and only a CRF their transitions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from trustag.crf import (
    Chain,
    constrain,
    entity_grammar,
    entity_posteriors,
    entity_spans,
    forward_backward_messages,
    legal_transitions,
    log_partition,
    partial_loss,
    token_marginals,
    viterbi_decode,
)
from trustag.crf.crf_outputs import CRFOutputs
from trustag.crf.single_viterbi import SingleViterbi
from trustag.models.heads import HeadKind
from trustag.recipes.network_settings import ModelSettings
from trustag.text.label_sets import LabelSet
from trustag.text.spans import Span


@dataclass(frozen=True, slots=True)
class CRFHeadOutputs:
    """The logits of a padded batch and the transition scores between labels."""

    features: Tensor
    logits: Tensor
    chain: Chain
    mask: Tensor

    def loss(self, allowed: Tensor) -> Tensor:
        """Return log Z minus the log-sum over the label sequences inside ``allowed`` (eq. 2 and 8): (sentences,)."""
        return partial_loss(self.logits, self.chain, self.mask, allowed).loss

    def expected_loss(self, probabilities: Tensor) -> Tensor:
        """Return log Z minus the expected score of labels drawn token by token: (sentences,)."""
        logits, chain = self.logits, self.chain
        # Transitions that are ruled out have no finite score; drawn token by token they occur, on a path they do not.
        transitions = chain.transitions.masked_fill(chain.transitions.isinf(), 0)
        last = probabilities[torch.arange(len(probabilities)), self.mask.sum(1) - 1]
        score = (
            (probabilities * logits).sum((1, 2))
            + ((probabilities[:, :-1] @ transitions) * probabilities[:, 1:]).sum((1, 2))
            + probabilities[:, 0] @ chain.start.masked_fill(chain.start.isinf(), 0)
            + last @ chain.end.masked_fill(chain.end.isinf(), 0)
        )
        return log_partition(logits, chain, self.mask).to(score.dtype) - score

    def marginals(self) -> Tensor:
        """Return the marginals over all label sequences (eq. 3)."""
        return token_marginals(self.logits, self.chain, self.mask)


class CRFHead(nn.Module):
    """A linear-chain CRF: a projection to logits, and scores of transitions between labels, of starts and of ends.

    ``is_constrained`` rules illegal label sequences out of the loss as well.
    """

    def __init__(
        self,
        labels: LabelSet,
        width: int,
        *,
        random_init: bool = False,
        is_constrained: bool = False,
        learns_transitions: bool = True,
    ) -> None:
        super().__init__()
        self.labels = labels
        self.score_width = len(labels)
        self.projection = nn.Linear(width, len(labels))
        scores = torch.randn if random_init else torch.zeros
        self.transitions = nn.Parameter(scores(len(labels), len(labels)), requires_grad=learns_transitions)
        self.start = nn.Parameter(scores(len(labels)), requires_grad=learns_transitions)
        self.end = nn.Parameter(scores(len(labels)), requires_grad=learns_transitions)
        self._legal = legal_transitions(labels.labels, labels.scheme) if is_constrained else None

    @property
    def chain(self) -> Chain:
        """The scores of transitions, starts and ends."""
        return Chain(self.transitions, self.start, self.end)

    def scores(self, features: Tensor, mask: Tensor) -> Tensor:  # noqa: ARG002 - tokens are scored one by one
        """Return the logits, the score of each label at each token: (sentences, tokens, labels)."""
        logits: Tensor = self.projection(features)
        return logits

    def outputs(self, features: Tensor, mask: Tensor) -> CRFHeadOutputs:
        """Return logits and transitions for a batch."""
        chain = self.chain if self._legal is None else constrain(self.chain, self._legal)
        return CRFHeadOutputs(features, self.scores(features, mask), chain, mask)

    def decoder(self, *, legal_only: bool) -> "CRFDecoder":
        """Return a Viterbi decoder for the present weights."""
        legal = legal_transitions(self.labels.labels, self.labels.scheme) if legal_only else None
        return CRFDecoder(self.labels, self.chain if legal is None else constrain(self.chain, legal))

    def corpus_outputs(self, lengths: Sequence[int], scores: Tensor) -> CRFOutputs:
        """Return the logits (tokens, labels) with the transitions as they are now."""
        chain = Chain(*(part.detach() for part in (self.transitions, self.start, self.end)))
        return CRFOutputs(lengths, scores, chain)


class SoftmaxHead(CRFHead):
    """A softmax over the labels of each token by itself: a CRF whose transitions are fixed at zero.

    So both heads go through the same arithmetic; the sums over label sequences factorise into those of the tokens.
    """

    def __init__(self, labels: LabelSet, width: int) -> None:
        super().__init__(labels, width, learns_transitions=False)


class CRFDecoder:
    """Viterbi, marginals and span posteriors under one set of transition scores."""

    def __init__(self, labels: LabelSet, chain: Chain) -> None:
        self._chain = chain
        self._single = SingleViterbi(chain)
        self._grammar = entity_grammar(labels.labels)

    def best_labels(self, scores: Tensor, lengths: Sequence[int]) -> list[list[int]]:
        """Return the Viterbi path of each sentence; a single sentence takes a shorter way."""
        if len(scores) == 1:
            path = self._single.decode(scores[0].numpy(force=True))
            if path is not None:
                return [path]
        paths = viterbi_decode(scores, self._chain, _mask(lengths, scores)).labels.tolist()
        return [path[:length] for length, path in zip(lengths, paths, strict=True)]

    def marginals(self, scores: Tensor, lengths: Sequence[int], temperature: float) -> Tensor:
        """Return token marginals at ``temperature``."""
        return token_marginals(scores / temperature, self._chain.at(temperature), _mask(lengths, scores))

    def span_probabilities(
        self, scores: Tensor, lengths: Sequence[int], spans: Sequence[Sequence[Span]], temperature: float
    ) -> list[float]:
        """Return the exact posterior of each span."""
        messages = forward_backward_messages(scores / temperature, self._chain.at(temperature), _mask(lengths, scores))
        asked = entity_spans(spans, self._grammar)
        found: list[float] = entity_posteriors(messages, asked, self._grammar).clamp(0, 1).tolist()
        return found


def _mask(lengths: Sequence[int], scores: Tensor) -> Tensor:
    """Return true at tokens and false in the padding: (sentences, tokens)."""
    mask = torch.arange(scores.shape[1])[None, :] < torch.tensor(lengths)[:, None]
    return mask.to(scores.device)


def _crf(labels: LabelSet, width: int, settings: ModelSettings) -> nn.Module:
    random, constrained = settings.transition_init == "random", settings.constraints == "training"
    return CRFHead(labels, width, random_init=random, is_constrained=constrained)


def _softmax(labels: LabelSet, width: int, settings: ModelSettings) -> nn.Module:  # noqa: ARG001 - every builder's
    return SoftmaxHead(labels, width)


CRF: Final = HeadKind(_crf, CRFOutputs.from_tensors, scores_labels=True)
SOFTMAX: Final = HeadKind(_softmax, CRFOutputs.from_tensors, scores_labels=True)
