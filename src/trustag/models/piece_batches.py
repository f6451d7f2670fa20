"""Sentences of pieces as a transformer reads them: rows with padding, and where in them each word stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import torch
from torch import Tensor

from trustag.models.characters import Spellings
from trustag.models.pieces import Specials
from trustag.models.windows import Window, both_ends, cut_windows, longest_word

Pooling: TypeAlias = Literal["first", "last", "mean"]
Pieces: TypeAlias = tuple[int, ...]

# So many pieces, padding included, go through the transformer together; what is longer waits its turn.
BLOCK_PIECES: Final = 8192


class Block(NamedTuple):
    """Rows of pieces read together: their numbers, and which of them are no padding."""

    pieces: Tensor
    attended: Tensor


@dataclass(frozen=True, slots=True)
class PieceInputs:
    """Sentences in blocks, and which of their pieces make up each word.

    ``pooled`` are indices into the blocks, flattened one after the other; the pieces of each word of the table of shape
    ``shape`` begin in ``pooled`` where ``bags`` says. Padding has none.
    """

    blocks: tuple[Block, ...]
    pooled: Tensor
    bags: Tensor
    shape: tuple[int, int]
    spelling: Tensor | None = None
    spellings: Spellings | None = None

    def to(self, device: torch.device) -> "PieceInputs":
        """Return the same on ``device``."""
        if device == self.pooled.device:
            return self
        return PieceInputs(
            tuple(Block(block.pieces.to(device), block.attended.to(device)) for block in self.blocks),
            self.pooled.to(device),
            self.bags.to(device),
            self.shape,
            None if self.spelling is None else self.spelling.to(device),
            None if self.spellings is None else self.spellings.to(device),
        )


class PieceBatching(NamedTuple):
    """How pieces are read: at most ``positions`` at once, windows sharing ``stride``, and which stand for a word."""

    specials: Specials
    positions: int
    stride: int
    pooling: Pooling

    @property
    def capacity(self) -> int:
        """The pieces of text that fit beside the special ones."""
        return self.positions - self.specials.around


def lay_out(sentences: Sequence[Sequence[Pieces]], batching: PieceBatching) -> PieceInputs:
    """Return sentences, given as the pieces of each word, in blocks; words too long for a window lose their middle."""
    longest = longest_word(batching.capacity)
    sentences = [[both_ends(word, longest) for word in words] for words in sentences]
    windows = [cut_windows([len(word) for word in words], batching.capacity, batching.stride) for words in sentences]
    before, after = batching.specials.before, batching.specials.after
    rows = [
        [*before, *chain.from_iterable(words[window.start : window.end]), *after]
        for words, cut in zip(sentences, windows, strict=True)
        for window in cut
    ]
    blocks, indices = _blocks(rows, batching.specials.padding)
    row_indices = iter(indices)
    longest_sentence = max(map(len, sentences))
    bags: list[int] = []
    pooled: list[int] = []
    for words, cut in zip(sentences, windows, strict=True):
        for window in cut:
            for chosen in _chosen(words, window, next(row_indices) + len(before), batching.pooling):
                bags.append(len(pooled))
                pooled.extend(chosen)
        bags.extend([len(pooled)] * (longest_sentence - len(words)))
    return PieceInputs(blocks, torch.tensor(pooled), torch.tensor(bags), (len(sentences), longest_sentence))


def _chosen(words: Sequence[Pieces], window: Window, index: int, pooling: Pooling) -> Iterator[range]:
    """Yield the indices that stand for each word kept in ``window``, whose first word begins at ``index``."""
    index += sum(map(len, words[window.start : window.kept_start]))
    for word in words[window.kept_start : window.kept_end]:
        end = index + len(word)
        if pooling == "first":
            yield range(index, index + 1)
        elif pooling == "last":
            yield range(end - 1, end)
        else:
            yield range(index, end)
        index = end


def _blocks(rows: Sequence[Sequence[int]], padding: int | None) -> tuple[tuple[Block, ...], list[int]]:
    """Return rows in blocks of similar length, the same without ``padding``, and the index where each row begins."""
    order = sorted(range(len(rows)), key=lambda row: len(rows[row]), reverse=True)
    indices = [0] * len(rows)
    blocks = []
    taken = first = 0
    while first < len(order):
        width = len(rows[order[first]])
        members = order[first : first + max(BLOCK_PIECES // width, 1)]
        if padding is None:
            members = [row for row in members if len(rows[row]) == width]
        pieces = np.full((len(members), width), padding or 0, dtype=np.int64)
        lengths = np.array([len(rows[row]) for row in members])
        for number, row in enumerate(members):
            pieces[number, : len(rows[row])] = rows[row]
            indices[row] = taken + number * width
        attended = np.arange(width) < lengths[:, None]
        blocks.append(Block(torch.from_numpy(pieces), torch.from_numpy(attended.astype(np.int64))))
        taken += pieces.size
        first += len(members)
    return tuple(blocks), indices
