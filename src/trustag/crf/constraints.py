"""Which labels may follow which: the legal moves of a tagging scheme, and chains kept to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

import torch

from trustag.crf.chain import Chain
from trustag.crf.shapes import Labels, Moves
from trustag.errors import InputError
from trustag.text.labels import OUTSIDE, split_label
from trustag.text.schemes import Scheme, write_spans
from trustag.text.spans import Span

_BORDER = ""


@dataclass(frozen=True, slots=True, eq=False)
class LegalMoves:
    """The moves, first labels and last labels that a scheme knows."""

    transitions: Moves
    start: Labels
    end: Labels


def legal_moves(labels: Sequence[str], scheme: Scheme) -> LegalMoves:
    """Return the moves between ``labels`` that occur where entities are written in ``scheme``.

    >>> moves = legal_moves(["O", "B-PER", "I-PER"], Scheme.IOB2)
    >>> moves.transitions.tolist(), moves.start.tolist()
    ([[True, True, False], [True, True, True], [True, True, True]], [True, True, False])
    """
    known = _moves_of(scheme)
    for label in labels:
        if not any(_position(label) in {before, after} for before, after, _ in known):
            raise InputError(f"label {label!r} does not occur in the scheme {scheme}", remedy="name the labels' scheme")
    transitions = [[_move(before, after) in known for after in labels] for before in labels]
    start = [_move(_BORDER, label) in known for label in labels]
    end = [_move(label, _BORDER) in known for label in labels]
    return LegalMoves(torch.tensor(transitions), torch.tensor(start), torch.tensor(end))


def keep_legal(chain: Chain, moves: LegalMoves) -> Chain:
    """Return the chain with every illegal move, start and end forbidden; gradients pass to the legal ones."""
    return Chain(
        chain.transitions.masked_fill(~moves.transitions.to(chain.transitions.device), -torch.inf),
        chain.start.masked_fill(~moves.start.to(chain.start.device), -torch.inf),
        chain.end.masked_fill(~moves.end.to(chain.end.device), -torch.inf),
    )


def _position(label: str) -> str:
    return label if label in {OUTSIDE, _BORDER} else split_label(label)[0]


def _move(before: str, after: str) -> tuple[str, str, bool]:
    """Return what makes a move legal or not: the positions, and whether both belong to one type."""
    outside = {OUTSIDE, _BORDER}
    one_type = before not in outside and after not in outside and split_label(before)[1] == split_label(after)[1]
    return _position(before), _position(after), one_type


@lru_cache
def _moves_of(scheme: Scheme) -> frozenset[tuple[str, str, bool]]:
    """Return the moves that occur when any entities of two types are written, with any gaps between them."""
    segments = [(kind, length) for kind in ("", "X", "Y") for length in (1, 2, 3, 4)]
    found: set[tuple[str, str, bool]] = set()
    for layout in product(segments, repeat=3):
        spans, length = [], 0
        for kind, width in layout:
            if kind:
                spans.append(Span(length, length + width, kind))
            length += width
        written = write_spans(spans, [OUTSIDE] * length, scheme)
        labels = [_BORDER, *(label for label in written if label is not None), _BORDER]
        found.update(_move(before, after) for before, after in pairwise(labels))
    return frozenset(found)
