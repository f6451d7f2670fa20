"""All ways to cut sentences into stretches and to give each stretch a type: exact sums and best ways.

At each gap between two tokens they are tied or not; a stretch between two breaks has a type or none, independent of all
others. Stretches have at most ``LONGEST`` tokens.
"""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

LONGEST: Final = 12
POSITIONS: Final = "BIES"
FORBIDDEN: Final = -1e4


def stretch_labels(size: int, kind: int) -> list[int]:
    """Return the label indices of a stretch in IOBES; kind 0 is no entity, others are types counted from 1.

    >>> stretch_labels(3, 1), stretch_labels(1, 2), stretch_labels(2, 0)
    ([1, 2, 3], [8], [0, 0])
    """
    if kind == 0:
        return [0] * size
    begin, inside, end, single = (1 + len(POSITIONS) * (kind - 1) + place for place in range(len(POSITIONS)))
    return [single] if size == 1 else [begin, *[inside] * (size - 2), end]


class Lattice:
    """The log-probabilities of all stretches of padded sentences.

    ``gaps`` (sentences, tokens) are the logits of being tied to the token before; ``starts`` and ``ends`` (sentences,
    tokens, types + 1) add up to those of the types of a stretch from one token to another.
    """

    def __init__(self, gaps: Tensor, starts: Tensor, ends: Tensor, lengths: Sequence[int]) -> None:
        self.lengths = torch.tensor(lengths)
        self.starts, self.ends = starts, ends
        self.tied = logsigmoid(gaps)
        nothing = gaps.new_zeros(len(gaps), 1)
        broken = torch.cat([logsigmoid(-gaps[:, 1:]), nothing], 1)  # each token from the one after it
        is_last = torch.arange(gaps.shape[1])[None, :] == self.lengths[:, None] - 1
        self.broken = broken.masked_fill(is_last, 0.0)

    def tables(self, weights: Tensor) -> list[Tensor]:
        """Return the log-probabilities of the stretches of each size: (sentences, first tokens, types + 1).

        Each label of a token adds its weight (sentences, tokens, labels).
        """
        count = weights.shape[1]
        found = []
        for size in range(1, min(LONGEST, count) + 1):
            last = slice(size - 1, None)
            types = (self.starts[:, : count - size + 1] + self.ends[:, last]).log_softmax(-1)
            path = self.tied.unfold(1, size, 1)[..., 1:].sum(-1) + self.broken[:, last]
            windows = weights.unfold(1, size, 1)
            begin, inside, end, single = (windows[..., 1 + place :: len(POSITIONS), :] for place in range(4))
            entity = single[..., 0] if size == 1 else begin[..., 0] + inside[..., 1:-1].sum(-1) + end[..., -1]
            added = torch.cat([windows[..., 0, :].sum(-1)[..., None], entity], -1)
            fits = torch.arange(size, count + 1)[None, :] <= self.lengths[:, None]
            found.append((types + path[..., None] + added).masked_fill(~fits[..., None], FORBIDDEN))
        return found

    def log_partition(self, weights: Tensor) -> Tensor:
        """Return the logarithm of the sum over all ways to cut and type each sentence: (sentences,)."""
        tables = [table.logsumexp(-1) for table in self.tables(weights)]
        sums = [weights.new_zeros(len(weights))]
        for end in range(1, weights.shape[1] + 1):
            terms = [sums[end - size] + table[:, end - size] for size, table in _ending(tables, end)]
            sums.append(torch.stack(terms, 1).logsumexp(1))
        return torch.stack(sums, 1).gather(1, self.lengths[:, None])[:, 0]

    def best_labels(self, weights: Tensor) -> list[list[int]]:
        """Return the labels of the best way to cut and type each sentence."""
        best = [table.max(-1) for table in self.tables(weights)]
        values, kinds = [own.values for own in best], [own.indices.tolist() for own in best]
        sums, sizes = [weights.new_zeros(len(weights))], []
        for end in range(1, weights.shape[1] + 1):
            terms = [sums[end - size] + value[:, end - size] for size, value in _ending(values, end)]
            chosen = torch.stack(terms, 1).max(1)
            sums.append(chosen.values)
            sizes.append(chosen.indices + 1)
        rows = torch.stack(sizes, 1).tolist()
        return [
            _labels(row, length, number, kinds)
            for number, (row, length) in enumerate(zip(rows, self.lengths, strict=True))
        ]


def _ending(tables: Sequence[Tensor], end: int) -> list[tuple[int, Tensor]]:
    """Return the sizes of the stretches that may end before token ``end``, with their tables."""
    return list(enumerate(tables, start=1))[:end]


def _labels(sizes: Sequence[int], length: Tensor, sentence: int, kinds: Sequence[list[list[int]]]) -> list[int]:
    """Return the labels of a sentence whose best stretch before each token has the size in ``sizes``."""
    end, found = int(length), []
    while end:
        size = sizes[end - 1]
        found.append(stretch_labels(size, kinds[size - 1][sentence][end - size]))
        end -= size
    return [label for labels in reversed(found) for label in labels]
