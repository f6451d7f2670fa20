"""How many entities of each test sentence were right, found and there, in a short text for result files."""

import base64
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from trustag.text.scoring import Counts

SentenceCounts = npt.NDArray[np.int64]
"""A row for each sentence: correct, found and gold entities."""


def as_text(counts: Sequence[Counts]) -> str:
    """Return the counts of all sentences as a text.

    >>> from_text(as_text([Counts(1, 2, 3), Counts(0, 0, 0)])).tolist()
    [[1, 2, 3], [0, 0, 0]]
    """
    table = np.array([[own.correct, own.found, own.support] for own in counts], dtype="<u2").reshape(-1, 3)
    return base64.b85encode(zlib.compress(np.ascontiguousarray(table.T).tobytes(), 9)).decode("ascii")


def from_text(text: str) -> SentenceCounts:
    """Return the counts that :func:`as_text` wrote, (sentences, 3)."""
    columns = np.frombuffer(zlib.decompress(base64.b85decode(text)), dtype="<u2").reshape(3, -1)
    return columns.T.astype(np.int64)
