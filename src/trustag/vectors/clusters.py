"""Vectors from clusters of words: a cluster is a leaf of a binary tree, and leaves that are near have near vectors."""

import gzip

import msgspec
import numpy as np
import numpy.typing as npt

from trustag.vectors.tables import VectorTable
from trustag.vectors.word_vectors import Matrix


def from_clusters(name: str, data: bytes) -> VectorTable:
    """Return the table in a gzipped JSON object of words and their clusters, as spaCy's lookup data have it.

    The bits of a cluster's number, the lowest first, lead from the root of the tree to its leaf; words of number 0 are
    in none. The inner product of two vectors is the number of steps that their ways have in common.
    """
    clusters = msgspec.json.decode(gzip.decompress(data), type=dict[str, int])
    known = {word: number for word, number in clusters.items() if number > 0}
    numbers, rows = np.unique(np.array(list(known.values()), np.int64), return_inverse=True)
    return VectorTable(name, tuple(known), rows.astype(np.int32), _vectors(numbers))


def _vectors(numbers: npt.NDArray[np.int64]) -> Matrix:
    """Return a row for each leaf: it has a value for each branch of the tree, the root of its length or nothing."""
    depth = int(numbers.max(initial=0)).bit_length()
    steps = [_members(numbers & ((1 << step) - 1)) for step in range(1, depth + 1)]
    branches, lengths = np.unique(np.concatenate(steps, axis=1), axis=1, return_counts=True)
    return (branches * np.sqrt(lengths)).astype(np.float32)


def _members(groups: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return a column for each distinct group that tells which rows belong to it."""
    members: npt.NDArray[np.bool_] = groups[:, None] == np.unique(groups)
    return members
