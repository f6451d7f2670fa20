"""Viterbi decoding of one sentence at a time, without the overhead of a batch.

Most sentences need no search. A path other than the greedy one, which takes the argmax of the emissions at every token,
differs from it at some tokens. Each of those loses the difference of the two emissions, and gains at most what the best
transitions into and out of it have over the transitions of the greedy path. Where no label at any token can gain
more than it loses, the greedy path is the Viterbi path: one comparison for the whole sentence instead of a step per
token.
"""

from math import isfinite
from typing import Final

import numpy as np
import numpy.typing as npt

from trustag.crf.chain import Chain

# Far above the rounding of double precision, far below any meaningful difference of scores.
_MARGIN: Final = 1e-6


class SingleViterbi:
    """A chain prepared for Viterbi decoding of single sentences.

    :func:`trustag.crf.viterbi_decode` returns the same paths for whole batches, and raises where there is no path.
    """

    def __init__(self, chain: Chain) -> None:
        labels = chain.label_count
        # One more state, the boundary, precedes the first token and follows the last one.
        self._transitions = np.full((labels + 1, labels + 1), -np.inf)
        self._transitions[:labels, :labels] = chain.transitions.numpy(force=True)
        self._transitions[labels, :labels] = chain.start.numpy(force=True)
        self._transitions[:labels, labels] = chain.end.numpy(force=True)
        self._best_into = self._transitions[:, :labels].max(0)
        self._best_out_of = self._transitions[:labels].max(1)
        self._into = np.ascontiguousarray(self._transitions[:labels, :labels].T)

    def decode(self, emissions: npt.NDArray[np.float32]) -> list[int] | None:
        """Return the Viterbi path for emissions (tokens, labels), or ``None`` if no path has a finite score."""
        return self._greedy(emissions) or self._search(emissions)

    def _greedy(self, emissions: npt.NDArray[np.float32]) -> list[int] | None:
        """Return the greedy path where it provably has the highest score."""
        tokens, labels = emissions.shape
        states = np.full(tokens + 2, labels)
        greedy = states[1:-1]
        emissions.argmax(1, out=greedy)
        taken = self._transitions[states[:-1], states[1:]]
        indices = np.arange(tokens)
        best = emissions[indices, greedy].astype(np.float64)
        if not isfinite(best.sum() + taken.sum()):
            return None
        into, out_of = taken[:-1, None], taken[1:, None]
        rival = np.maximum(self._best_into - into, 0.0)
        rival += np.maximum(self._best_out_of - out_of, 0.0)
        rival += emissions
        rival[indices, greedy] = -np.inf
        path: list[int] | None = greedy.tolist() if (rival.max(1) < best - _MARGIN).all() else None
        return path

    def _search(self, emissions: npt.NDArray[np.float32]) -> list[int] | None:
        """Return the path that the Viterbi algorithm finds."""
        best = emissions.astype(np.float64)
        best[0] += self._transitions[-1, :-1]
        candidates = np.empty_like(self._into)
        arriving = np.empty(len(candidates))
        for token in range(1, len(best)):
            np.add(self._into, best[token - 1], candidates)
            candidates.max(1, out=arriving)
            best[token] += arriving
        final = best[-1] + self._transitions[:-1, -1]
        path = [int(final.argmax())]
        if not isfinite(final[path[0]]):
            return None
        for before in best[-2::-1]:
            path.append(int((before + self._into[path[-1]]).argmax()))
        return path[::-1]
