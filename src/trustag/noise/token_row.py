"""All tokens of a corpus in one row, to look up quickly where a span fits."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from trustag.text.labels import Label, is_positive
from trustag.text.schemes import Scheme
from trustag.text.spans import Span

_FREE: Final = 0
_LABELLED: Final = 1
_WALL: Final = 2  # a token with an unknown label, or a sentence boundary


class Mention(NamedTuple):
    """One entity in a corpus: the index of its sentence and its span there."""

    sentence: int
    span: Span


class TokenRow:
    """All tokens in one row, with walls between sentences; each token is free, labelled, or a wall that never changes.

    >>> row = TokenRow([["B-PER", "O", None], ["O", "O"]], Scheme.IOB2)
    >>> row.free_indices(), row.mention(5, 2, "LOC")
    ([2, 5, 6], Mention(sentence=1, span=Span(start=0, end=2, type='LOC')))
    """

    def __init__(self, labellings: Sequence[Sequence[Label]], scheme: Scheme) -> None:
        self._joins_neighbours = scheme is Scheme.IO
        self._cells = bytearray([_WALL])
        self._starts: list[int] = []
        for labels in labellings:
            self._starts.append(len(self._cells))
            self._cells.extend(_WALL if label is None else int(is_positive(label)) for label in labels)
            self._cells.append(_WALL)

    def free_indices(self) -> list[int]:
        """Return the row index of every free token."""
        return [index for index, cell in enumerate(self._cells) if cell == _FREE]

    def index_of(self, mention: Mention) -> int:
        """Return the row index of the first token of ``mention``."""
        return self._starts[mention.sentence] + mention.span.start

    def mention(self, first: int, length: int, kind: str) -> Mention:
        """Return the entity of type ``kind`` with ``length`` tokens from row index ``first`` on."""
        sentence = bisect_right(self._starts, first) - 1
        start = first - self._starts[sentence]
        return Mention(sentence, Span(start, start + length, kind))

    def is_free(self, index: int) -> bool:
        """Tell whether the token at ``index`` is outside of entities and may be labelled."""
        return self._cells[index] == _FREE

    def is_labelled(self, index: int) -> bool:
        """Tell whether the token at ``index`` is part of an entity."""
        return self._cells[index] == _LABELLED

    def fits(self, first: int, length: int) -> bool:
        """Tell whether a new entity of ``length`` tokens may start at row index ``first``."""
        return not any(self._cells[first : first + length]) and self.stays_apart(first, length)

    def stays_apart(self, first: int, length: int) -> bool:
        """Tell whether an entity here stays separate from its neighbours in the scheme, whatever their types."""
        if not self._joins_neighbours:
            return True
        return not self.is_labelled(first - 1) and not self.is_labelled(first + length)

    def label(self, mention: Mention) -> None:
        """Mark the tokens of ``mention`` as part of an entity."""
        self._fill(mention, _LABELLED)

    def free(self, mention: Mention) -> None:
        """Mark the tokens of ``mention`` as free."""
        self._fill(mention, _FREE)

    def _fill(self, mention: Mention, cell: int) -> None:
        first = self.index_of(mention)
        length = mention.span.end - mention.span.start
        self._cells[first : first + length] = bytes([cell]) * length
