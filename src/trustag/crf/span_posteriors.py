"""The exact probability that tokens carry given labels, or form one entity, from messages already at hand.

A question about a span costs as much as the span is long; the chain does not run again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from trustag.crf.messages import Messages
from trustag.crf.shapes import Moves, SpanIndices, SpanLabelSets, SpanPaths, SpanValues
from trustag.text.labels import OUTSIDE, canonical_position, entity_types, split_label
from trustag.text.spans import Span


@dataclass(frozen=True, slots=True, eq=False)
class LabelledSpans:
    """Labels for runs of tokens: the sentence and first token of each, and its labels, filled to the right with -1.

    ``before`` and ``after`` are, where given, the labels that the token before and after may have; a span at the
    border of its sentence has no such token, and nothing is asked there.
    """

    sentence: SpanIndices
    start: SpanIndices
    labels: SpanPaths
    before: SpanLabelSets | None = None
    after: SpanLabelSets | None = None

    def to(self, device: torch.device) -> "LabelledSpans":
        """Return the spans on another device."""
        before, after = (None if labels is None else labels.to(device) for labels in (self.before, self.after))
        return LabelledSpans(self.sentence.to(device), self.start.to(device), self.labels.to(device), before, after)


@dataclass(frozen=True, slots=True, eq=False)
class EntityReading:
    """How labels read as entities: which move continues an entity, and the labels of each type, filled with -1."""

    continues: Moves
    members: SpanPaths
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EntitySpans:
    """Entities asked about: the sentence, first token, token after the last and index of the type of each."""

    sentence: SpanIndices
    start: SpanIndices
    end: SpanIndices
    type: SpanIndices

    def to(self, device: torch.device) -> "EntitySpans":
        """Return the spans on another device."""
        return EntitySpans(*(column.to(device) for column in (self.sentence, self.start, self.end, self.type)))


def entity_reading(labels: Sequence[str]) -> EntityReading:
    """Return how conlleval reads ``labels``, in whatever scheme they are.

    >>> reading = entity_reading(["O", "B-PER", "I-PER"])
    >>> reading.continues.tolist(), reading.members.tolist(), reading.types
    ([[False, False, False], [False, False, True], [False, False, True]], [[1, 2]], ('PER',))
    """
    parts = [("", "") if label == OUTSIDE else split_label(label) for label in labels]
    known = [(canonical_position(position) if position else "", kind) for position, kind in parts]
    continues = [
        [before in {"B", "I"} and after in {"I", "E"} and kind == next_kind for after, next_kind in known]
        for before, kind in known
    ]
    types = tuple(entity_types(labels))
    members = [torch.tensor([i for i, (_, kind) in enumerate(known) if kind == wanted]) for wanted in types]
    padded = pad_sequence(members, batch_first=True, padding_value=-1) if members else torch.empty(0, 0).long()
    return EntityReading(torch.tensor(continues), padded, types)


def entity_spans(spans: Sequence[Sequence[Span]], reading: EntityReading) -> EntitySpans:
    """Return the entities of each sentence of a batch in one row of tensors, in order."""
    index = {kind: place for place, kind in enumerate(reading.types)}
    rows = [(sentence, s.start, s.end, index[s.type]) for sentence, found in enumerate(spans) for s in found]
    sentence, start, end, kind = torch.tensor(rows, dtype=torch.long).view(-1, 4).unbind(1)
    return EntitySpans(sentence, start, end, kind)


@torch.no_grad()
def sequence_posteriors(messages: Messages, spans: LabelledSpans) -> SpanValues:
    """Return the probability that the tokens of each span carry its labels, and its neighbours what is asked."""
    log, spans = messages.log, spans.to(messages.mask.device)
    sentence, labels = spans.sentence, spans.labels.clamp(min=0)
    inside = spans.labels >= 0
    end = spans.start + inside.sum(1)
    _check_places(messages, sentence, spans.start, end)
    tokens = torch.minimum(spans.start[:, None] + torch.arange(labels.shape[1], device=labels.device), end[:, None] - 1)
    own = log.scores[sentence[:, None], tokens, labels]
    moves = messages.chain.transitions[labels[:, :-1], labels[:, 1:]]
    within = torch.where(inside[:, 1:], own[:, 1:] + moves, 0.0).sum(1)
    first, last = labels[:, :1], labels.gather(1, (end - spans.start - 1)[:, None])
    entered = log.forward[sentence, spans.start].gather(1, first)
    if spans.before is not None:
        entered = _arriving(messages, (sentence, spans.start), first, spans.before[:, None]) + own[:, :1]
    left = log.backward[sentence, end - 1].gather(1, last)
    if spans.after is not None:
        left = _leaving(messages, (sentence, end), last, spans.after[:, None])
    return ((entered + left)[:, 0] + within - log.log_sums[sentence]).exp()


@torch.no_grad()
def entity_posteriors(messages: Messages, spans: EntitySpans, reading: EntityReading) -> SpanValues:
    """Return the probability that the labels of a sentence, read as conlleval does, contain each entity.

    All ways to write the entity count: its tokens belong to its type, each continues the one before, the first does not
    continue what stands before it, and what stands after does not continue the last.
    """
    log, spans = messages.log, spans.to(messages.mask.device)
    sentence = spans.sentence
    _check_places(messages, sentence, spans.start, spans.end)
    continues, members = reading.continues.to(sentence.device), reading.members.to(sentence.device)[spans.type]
    labels = members.clamp(min=0)
    own = log.scores[sentence, spans.start].gather(1, labels).masked_fill(members < 0, -torch.inf)
    reached = _arriving(messages, (sentence, spans.start), labels, ~continues.t()[labels]) + own
    onwards = labels[:, :, None], labels[:, None, :]
    moves = messages.chain.transitions[onwards].masked_fill(~continues[onwards], -torch.inf)
    widths = spans.end - spans.start
    for offset in range(1, max(widths.tolist(), default=0)):
        token = torch.minimum(spans.start + offset, spans.end - 1)
        own = log.scores[sentence, token].gather(1, labels)
        further = torch.logsumexp(reached[:, :, None] + moves, 1) + own
        reached = torch.where((offset < widths)[:, None], further, reached)
    left = _leaving(messages, (sentence, spans.end), labels, ~continues[labels])
    return (torch.logsumexp(reached + left, 1) - log.log_sums[sentence]).exp()


def _arriving(messages: Messages, places: tuple[Tensor, Tensor], labels: Tensor, permitted: Tensor) -> Tensor:
    """Return the sums over the paths that arrive at some labels by permitted moves, without the labels' own scores."""
    sentence, token = places
    before = messages.log.forward[sentence, (token - 1).clamp(min=0)]
    moves = messages.chain.transitions.t()[labels].masked_fill(~permitted, -torch.inf)
    inner = torch.logsumexp(before[:, None] + moves, 2)
    return torch.where((token == 0)[:, None], messages.chain.start[labels], inner)


def _leaving(messages: Messages, places: tuple[Tensor, Tensor], labels: Tensor, permitted: Tensor) -> Tensor:
    """Return the sums over the paths that go on from some labels by permitted moves to a token, or end before it."""
    sentence, token = places
    following = sentence, token.clamp(max=messages.mask.shape[1] - 1)
    after = messages.log.scores[following] + messages.log.backward[following]
    moves = messages.chain.transitions[labels].masked_fill(~permitted, -torch.inf)
    inner = torch.logsumexp(after[:, None] + moves, 2)
    return torch.where((token == messages.mask.sum(1)[sentence])[:, None], messages.chain.end[labels], inner)


def _check_places(messages: Messages, sentence: Tensor, start: Tensor, end: Tensor) -> None:
    lengths = messages.mask.sum(1)
    wrong = (sentence < 0) | (sentence >= lengths.shape[0]) | (start < 0) | (start >= end)
    wrong |= end > lengths[sentence.clamp(0, lengths.shape[0] - 1)]
    if bool(wrong.any()):
        row = int(wrong.nonzero()[0])
        raise ValueError(
            f"span {row} asks for tokens {int(start[row])} up to {int(end[row])} of sentence {int(sentence[row])},"
            " which do not all exist"
        )
