"""Labels of sentences labelled twice, as indices: those of the noisy source, and the right ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trustag.data.encoded_corpus import encode_gold
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import Sentence


@dataclass(frozen=True, slots=True)
class LabelPairs:
    """Label indices of all tokens in a row: ``given`` by the noisy source and ``clean`` (tokens,), -1 where unknown.

    A label of a type that training does not know has an index beyond all labels. ``lengths`` are those of the
    sentences.
    """

    given: npt.NDArray[np.int64]
    clean: npt.NDArray[np.int64]
    lengths: tuple[int, ...]


def encode_pairs(sentences: Sequence[Sentence], labels: LabelSet) -> LabelPairs:
    """Return the labels and gold labels of ``sentences`` as indices into ``labels``."""
    own = [sentence for sentence in sentences if sentence.tokens]
    rows = [encode_gold((s.labels for s in own), labels), encode_gold((s.gold or s.labels for s in own), labels)]
    nothing = np.zeros(0, dtype=np.int64)
    given, clean = (np.concatenate([nothing, *(row.numpy() for row in part)]) for part in rows)
    return LabelPairs(given, clean, tuple(len(sentence) for sentence in own))
