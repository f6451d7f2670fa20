"""Span posteriors: the exact probability that a span has given labels or is an entity, from forward-backward messages.

A query costs as many steps as its span has tokens; the forward-backward algorithm does not run again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from trustag.crf.messages import Messages
from trustag.crf.tensor_types import (
    SpanIndices,
    SpanLabelMask,
    SpanPaths,
    SpanValues,
    TransitionMask,
    TypeLabels,
)
from trustag.text.labels import OUTSIDE, canonical_position, entity_types, split_label
from trustag.text.spans import Span


@dataclass(frozen=True, slots=True, eq=False)
class LabelledSpans:
    """Spans of a batch: the sentence and first token of each (spans,), and its labels (spans, width), padded with -1.

    ``before`` and ``after`` (spans, labels), if given, are the labels that the token before and after a span may have.
    A span at the boundary of its sentence has no such token, and no condition applies there.
    """

    sentence: SpanIndices
    start: SpanIndices
    labels: SpanPaths
    before: SpanLabelMask | None = None
    after: SpanLabelMask | None = None

    def to(self, device: torch.device) -> "LabelledSpans":
        """Return the spans on another device."""
        before, after = (None if labels is None else labels.to(device) for labels in (self.before, self.after))
        return LabelledSpans(self.sentence.to(device), self.start.to(device), self.labels.to(device), before, after)


@dataclass(frozen=True, slots=True, eq=False)
class EntityGrammar:
    """How label paths encode entities.

    ``continues`` (labels, labels) holds the transitions inside an entity. ``type_labels`` (types, width) are the labels
    of each entity type, padded with -1, in the order of ``types``.
    """

    continues: TransitionMask
    type_labels: TypeLabels
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EntitySpans:
    """Entities of a batch: the sentence, first token, token after the last, and index of the type of each (spans,)."""

    sentence: SpanIndices
    start: SpanIndices
    end: SpanIndices
    type: SpanIndices

    def to(self, device: torch.device) -> "EntitySpans":
        """Return the spans on another device."""
        return EntitySpans(*(column.to(device) for column in (self.sentence, self.start, self.end, self.type)))


def entity_grammar(labels: Sequence[str]) -> EntityGrammar:
    """Return how ``labels``, in whatever scheme, encode entities according to conlleval.

    >>> grammar = entity_grammar(["O", "B-PER", "I-PER"])
    >>> grammar.continues.tolist(), grammar.type_labels.tolist(), grammar.types
    ([[False, False, False], [False, False, True], [False, False, True]], [[1, 2]], ('PER',))
    """
    parts = [("", "") if label == OUTSIDE else split_label(label) for label in labels]
    known = [(canonical_position(position) if position else "", kind) for position, kind in parts]
    continues = [
        [before in {"B", "I"} and after in {"I", "E"} and kind == next_kind for after, next_kind in known]
        for before, kind in known
    ]
    types = tuple(entity_types(labels))
    by_type = [torch.tensor([i for i, (_, kind) in enumerate(known) if kind == wanted]) for wanted in types]
    padded = pad_sequence(by_type, batch_first=True, padding_value=-1) if by_type else torch.empty(0, 0).long()
    return EntityGrammar(torch.tensor(continues), padded, types)


def entity_spans(spans: Sequence[Sequence[Span]], grammar: EntityGrammar) -> EntitySpans:
    """Return the entities of all sentences of a batch as tensors (spans,), in order."""
    index = {kind: number for number, kind in enumerate(grammar.types)}
    rows = [(sentence, s.start, s.end, index[s.type]) for sentence, found in enumerate(spans) for s in found]
    sentence, start, end, kind = torch.tensor(rows, dtype=torch.long).view(-1, 4).unbind(1)
    return EntitySpans(sentence, start, end, kind)


@torch.no_grad()
def sequence_posteriors(messages: Messages, spans: LabelledSpans) -> SpanValues:
    """Return the posterior probability of the label sequence of each span (spans,).

    It is the probability that the tokens of the span carry its labels and that its neighbours carry labels of
    ``spans.before`` and ``spans.after``, where given.
    """
    log, spans = messages.log, spans.to(messages.mask.device)
    sentence, labels = spans.sentence, spans.labels.clamp(min=0)
    inside = spans.labels >= 0
    end = spans.start + inside.sum(1)
    _check_spans(messages, sentence, spans.start, end)
    tokens = torch.minimum(spans.start[:, None] + torch.arange(labels.shape[1], device=labels.device), end[:, None] - 1)
    own = log.emissions[sentence[:, None], tokens, labels]
    transitions = messages.chain.transitions[labels[:, :-1], labels[:, 1:]]
    within = torch.where(inside[:, 1:], own[:, 1:] + transitions, 0.0).sum(1)
    first, last = labels[:, :1], labels.gather(1, (end - spans.start - 1)[:, None])
    forward = log.forward[sentence, spans.start].gather(1, first)
    if spans.before is not None:
        forward = _forward_into(messages, (sentence, spans.start), first, spans.before[:, None]) + own[:, :1]
    backward = log.backward[sentence, end - 1].gather(1, last)
    if spans.after is not None:
        backward = _backward_from(messages, (sentence, end), last, spans.after[:, None])
    return ((forward + backward)[:, 0] + within - log.log_partition[sentence]).exp()


@torch.no_grad()
def entity_posteriors(messages: Messages, spans: EntitySpans, grammar: EntityGrammar) -> SpanValues:
    """Return the posterior probability that the labels of a sentence encode each entity (spans,).

    It sums over all encodings of the entity that conlleval accepts: all tokens have labels of its type, each continues
    the one before, the first does not continue the token before it, and the token after does not continue the last.
    """
    log, spans = messages.log, spans.to(messages.mask.device)
    sentence = spans.sentence
    _check_spans(messages, sentence, spans.start, spans.end)
    continues, padded = grammar.continues.to(sentence.device), grammar.type_labels.to(sentence.device)[spans.type]
    labels = padded.clamp(min=0)
    own = log.emissions[sentence, spans.start].gather(1, labels).masked_fill(padded < 0, -torch.inf)
    forward = _forward_into(messages, (sentence, spans.start), labels, ~continues.t()[labels]) + own
    inner = labels[:, :, None], labels[:, None, :]
    transitions = messages.chain.transitions[inner].masked_fill(~continues[inner], -torch.inf)
    widths = spans.end - spans.start
    for offset in range(1, max(widths.tolist(), default=0)):
        token = torch.minimum(spans.start + offset, spans.end - 1)
        own = log.emissions[sentence, token].gather(1, labels)
        further = torch.logsumexp(forward[:, :, None] + transitions, 1) + own
        forward = torch.where((offset < widths)[:, None], further, forward)
    backward = _backward_from(messages, (sentence, spans.end), labels, ~continues[labels])
    return (torch.logsumexp(forward + backward, 1) - log.log_partition[sentence]).exp()


def _forward_into(messages: Messages, at: tuple[Tensor, Tensor], labels: Tensor, permitted: Tensor) -> Tensor:
    """Return the log-sums over the paths that enter ``labels`` (spans, width) by permitted transitions.

    ``at`` holds the sentence and the token of the labels (spans,). Their own emissions are not included.
    """
    sentence, token = at
    before = messages.log.forward[sentence, (token - 1).clamp(min=0)]
    transitions = messages.chain.transitions.t()[labels].masked_fill(~permitted, -torch.inf)
    inner = torch.logsumexp(before[:, None] + transitions, 2)
    return torch.where((token == 0)[:, None], messages.chain.start[labels], inner)


def _backward_from(messages: Messages, at: tuple[Tensor, Tensor], labels: Tensor, permitted: Tensor) -> Tensor:
    """Return the log-sums over the paths that leave ``labels`` (spans, width) by permitted transitions, or end there.

    ``at`` holds the sentence of the labels and the token after them (spans,).
    """
    sentence, token = at
    following = sentence, token.clamp(max=messages.mask.shape[1] - 1)
    after = messages.log.emissions[following] + messages.log.backward[following]
    transitions = messages.chain.transitions[labels].masked_fill(~permitted, -torch.inf)
    inner = torch.logsumexp(after[:, None] + transitions, 2)
    return torch.where((token == messages.mask.sum(1)[sentence])[:, None], messages.chain.end[labels], inner)


def _check_spans(messages: Messages, sentence: Tensor, start: Tensor, end: Tensor) -> None:
    """Raise an error that names the first span with tokens that its sentence does not have, if any."""
    lengths = messages.mask.sum(1)
    wrong = (sentence < 0) | (sentence >= lengths.shape[0]) | (start < 0) | (start >= end)
    wrong |= end > lengths[sentence.clamp(0, lengths.shape[0] - 1)]
    if bool(wrong.any()):
        row = int(wrong.nonzero()[0])
        raise ValueError(
            f"span {row} covers tokens {int(start[row])} up to {int(end[row])} of sentence {int(sentence[row])},"
            " which do not all exist"
        )
