"""Transition constraints: the label transitions that a tagging scheme permits, and chains restricted to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

import torch

from trustag.crf.chain import Chain
from trustag.crf.tensor_types import LabelMask, TransitionMask
from trustag.errors import InputError
from trustag.text.labels import OUTSIDE, split_label
from trustag.text.schemes import Scheme, write_spans
from trustag.text.spans import Span

_BOUNDARY = ""


@dataclass(frozen=True, slots=True, eq=False)
class LegalTransitions:
    """The transitions (labels, labels), first labels (labels,) and last labels (labels,) that a scheme permits."""

    transitions: TransitionMask
    start: LabelMask
    end: LabelMask


def legal_transitions(labels: Sequence[str], scheme: Scheme) -> LegalTransitions:
    """Return which transitions (labels, labels), starts (labels,) and ends (labels,) are legal in ``scheme``.

    A transition is legal if it occurs when some entities are encoded in the scheme.

    >>> legal = legal_transitions(["O", "B-PER", "I-PER"], Scheme.IOB2)
    >>> legal.transitions.tolist(), legal.start.tolist()
    ([[True, True, False], [True, True, True], [True, True, True]], [True, True, False])
    """
    known = _transitions_of(scheme)
    for label in labels:
        if not any(_position(label) in {before, after} for before, after, _ in known):
            raise InputError(f"label {label!r} does not occur in the scheme {scheme}", remedy="name the labels' scheme")
    transitions = [[_transition(before, after) in known for after in labels] for before in labels]
    start = [_transition(_BOUNDARY, label) in known for label in labels]
    end = [_transition(label, _BOUNDARY) in known for label in labels]
    return LegalTransitions(torch.tensor(transitions), torch.tensor(start), torch.tensor(end))


def constrain(chain: Chain, legal: LegalTransitions) -> Chain:
    """Return the chain with the scores of all illegal transitions, starts and ends set to minus infinity.

    Gradients flow to the scores of the legal ones.
    """
    return Chain(
        chain.transitions.masked_fill(~legal.transitions.to(chain.transitions.device), -torch.inf),
        chain.start.masked_fill(~legal.start.to(chain.start.device), -torch.inf),
        chain.end.masked_fill(~legal.end.to(chain.end.device), -torch.inf),
    )


def _position(label: str) -> str:
    return label if label in {OUTSIDE, _BOUNDARY} else split_label(label)[0]


def _transition(before: str, after: str) -> tuple[str, str, bool]:
    """Return what decides whether a transition is legal: both positions, and whether the types are the same."""
    untyped = {OUTSIDE, _BOUNDARY}
    same_type = before not in untyped and after not in untyped and split_label(before)[1] == split_label(after)[1]
    return _position(before), _position(after), same_type


@lru_cache
def _transitions_of(scheme: Scheme) -> frozenset[tuple[str, str, bool]]:
    """Return the transitions that occur when entities of two types are encoded with any gaps between them."""
    segments = [(kind, length) for kind in ("", "X", "Y") for length in (1, 2, 3, 4)]
    found: set[tuple[str, str, bool]] = set()
    for layout in product(segments, repeat=3):
        spans, length = [], 0
        for kind, width in layout:
            if kind:
                spans.append(Span(length, length + width, kind))
            length += width
        written = write_spans(spans, [OUTSIDE] * length, scheme)
        labels = [_BOUNDARY, *(label for label in written if label is not None), _BOUNDARY]
        found.update(_transition(before, after) for before, after in pairwise(labels))
    return frozenset(found)
