"""Vectors from Brown clusters: a cluster is a leaf of a binary tree, and nearby leaves get similar vectors."""

import gzip

import msgspec
import numpy as np
import numpy.typing as npt

from trustag.vectors.tables import VectorTable
from trustag.vectors.word_vectors import Matrix


def from_clusters(name: str, data: bytes) -> VectorTable:
    """Return the table in a gzipped JSON object that maps words to clusters, as in spaCy's lookup data.

    The bits of a cluster number, lowest first, are the path from the root of the tree to its leaf; words with number 0
    have no cluster. The inner product of two vectors is the number of steps that their paths share.
    """
    clusters = msgspec.json.decode(gzip.decompress(data), type=dict[str, int])
    known = {word: number for word, number in clusters.items() if number > 0}
    numbers, rows = np.unique(np.array(list(known.values()), np.int64), return_inverse=True)
    return VectorTable(name, tuple(known), rows.astype(np.int32), _vectors(numbers))


def _vectors(numbers: npt.NDArray[np.int64]) -> Matrix:
    """Return the vectors of the leaves, shape (leaves, branches).

    A value is the square root of the branch's length if the leaf is on the branch, else 0.
    """
    depth = int(numbers.max(initial=0)).bit_length()
    steps = [_members(numbers & ((1 << step) - 1)) for step in range(1, depth + 1)]
    branches, lengths = np.unique(np.concatenate(steps, axis=1), axis=1, return_counts=True)
    return (branches * np.sqrt(lengths)).astype(np.float32)


def _members(groups: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return which rows belong to each distinct group, shape (rows, groups)."""
    members: npt.NDArray[np.bool_] = groups[:, None] == np.unique(groups)
    return members
