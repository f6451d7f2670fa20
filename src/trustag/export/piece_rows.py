"""Sentences as rows of pieces for an exported transformer, with numpy alone.

The same layout as in ``trustag.models.piece_batches``, but for one block instead of several.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from trustag.errors import InputError
from trustag.models.pieces import PieceCutter, load_cutter
from trustag.models.windows import both_ends, cut_windows, longest_word


class ContextFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """How the transformer of an exported model reads pieces."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    unknown: int
    padding: int
    positions: int
    stride: int

    @property
    def capacity(self) -> int:
        """The pieces of text that fit beside the special ones."""
        return self.positions - len(self.before) - len(self.after)


@dataclass(frozen=True, slots=True)
class PieceRows:
    """Cuts words into pieces and lays sentences out for the graph."""

    cutter: PieceCutter
    facts: ContextFacts

    def inputs(self, sentences: Sequence[Sequence[str]]) -> dict[str, npt.NDArray[Any]]:
        """Return the inputs of the graph: rows of pieces, which of them stand for tokens, and for which."""
        longest = longest_word(self.facts.capacity)
        tokens = max(map(len, sentences))
        rows: list[list[int]] = []
        chosen: list[tuple[int, int, int]] = []  # row, place in the row, token in the padded table
        for number, words in enumerate(sentences):
            cut = [both_ends(self.cutter(word), longest) for word in words]
            for window in cut_windows([len(pieces) for pieces in cut], self.facts.capacity, self.facts.stride):
                place = len(self.facts.before)
                for word in range(window.start, window.end):
                    if window.kept_start <= word < window.kept_end:
                        token = number * tokens + word
                        chosen += [(len(rows), place + piece, token) for piece in range(len(cut[word]))]
                    place += len(cut[word])
                text = chain.from_iterable(cut[window.start : window.end])
                rows.append([*self.facts.before, *text, *self.facts.after])
        return self._arrays(rows, np.array(chosen, np.int64))

    def _arrays(self, rows: Sequence[Sequence[int]], chosen: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[Any]]:
        lengths = np.array([len(row) for row in rows])
        pieces = np.full((len(rows), int(lengths.max())), self.facts.padding, np.int64)
        attended = np.arange(pieces.shape[1]) < lengths[:, None]
        pieces[attended] = list(chain.from_iterable(rows))
        return {
            "context_pieces": pieces,
            "context_attended": attended.astype(np.int64),
            "context_pooled": chosen[:, 0] * pieces.shape[1] + chosen[:, 1],
            "context_bags": chosen[:, 2],
        }


def load_piece_rows(tokenizer: Path, facts: ContextFacts) -> PieceRows:
    """Return what cuts and lays out pieces, with the tokenizer of a file."""
    try:
        described = tokenizer.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError("cannot be read", where=tokenizer, remedy="export the model again") from None
    if facts.capacity < 1 or facts.stride < 0:
        raise InputError("no room for text between special pieces", where=tokenizer, remedy="export the model again")
    return PieceRows(load_cutter(described, facts.unknown, facts.padding, tokenizer), facts)
