"""The vote: which share of the sources says what."""

import numpy as np

from trustag.aggregation.source_labels import UNKNOWN, Probabilities, SourceLabels


def vote_shares(sources: SourceLabels) -> Probabilities:
    """Return the share of the sources that give each label (tokens, labels), among those that give any.

    Where none does, all labels have the same share.
    """
    votes = np.zeros((len(sources.indices), len(sources.labels)))
    for column in sources.indices.T:
        known = column != UNKNOWN
        votes[np.flatnonzero(known), column[known]] += 1
    votes[votes.sum(1) == 0] = 1
    shares: Probabilities = votes / votes.sum(1, keepdims=True)
    return shares
