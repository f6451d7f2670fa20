"""The best path of a single sentence, for those who tag one sentence at a time.

Most sentences need no search. A path other than the greedy one, which takes every token's best label, differs from it
at some tokens. Each of those costs what its label scores less, and can win at most what the best move into it and the
best move out of it have over the moves of the greedy path. Where no label anywhere can win more than it costs, the
greedy path is the best one: one comparison for the whole sentence instead of a step for each token.
"""

from math import isfinite
from typing import Final

import numpy as np
import numpy.typing as npt

from trustag.crf.chain import Chain

# Far above the rounding of double precision, far below any difference that means something.
_MARGIN: Final = 1e-6


class SinglePaths:
    """A chain, ready to find the best path of one sentence after the other.

    :func:`trustag.crf.best_paths` gives the same paths for whole batches, and errors where there is no path.
    """

    def __init__(self, chain: Chain) -> None:
        labels = chain.label_count
        # One more state stands for what is before the first and after the last token.
        self._moves = np.full((labels + 1, labels + 1), -np.inf)
        self._moves[:labels, :labels] = chain.transitions.numpy(force=True)
        self._moves[labels, :labels] = chain.start.numpy(force=True)
        self._moves[:labels, labels] = chain.end.numpy(force=True)
        self._best_into = self._moves[:, :labels].max(0)
        self._best_out_of = self._moves[:labels].max(1)
        self._into = np.ascontiguousarray(self._moves[:labels, :labels].T)

    def best(self, scores: npt.NDArray[np.float32]) -> list[int] | None:
        """Return the best path for a sentence's scores, (tokens, labels), or nothing if none has a finite score."""
        return self._clear(scores) or self._searched(scores)

    def _clear(self, scores: npt.NDArray[np.float32]) -> list[int] | None:
        """Return the greedy path where it is clearly the best."""
        tokens, labels = scores.shape
        walk = np.full(tokens + 2, labels)
        greedy = walk[1:-1]
        scores.argmax(1, out=greedy)
        taken = self._moves[walk[:-1], walk[1:]]
        places = np.arange(tokens)
        best = scores[places, greedy].astype(np.float64)
        if not isfinite(best.sum() + taken.sum()):
            return None
        into, out_of = taken[:-1, None], taken[1:, None]
        rival = np.maximum(self._best_into - into, 0.0)
        rival += np.maximum(self._best_out_of - out_of, 0.0)
        rival += scores
        rival[places, greedy] = -np.inf
        path: list[int] | None = greedy.tolist() if (rival.max(1) < best - _MARGIN).all() else None
        return path

    def _searched(self, scores: npt.NDArray[np.float32]) -> list[int] | None:
        reached = scores.astype(np.float64)
        reached[0] += self._moves[-1, :-1]
        through = np.empty_like(self._into)
        arriving = np.empty(len(through))
        for token in range(1, len(reached)):
            np.add(self._into, reached[token - 1], through)
            through.max(1, out=arriving)
            reached[token] += arriving
        ended = reached[-1] + self._moves[:-1, -1]
        path = [int(ended.argmax())]
        if not isfinite(ended[path[0]]):
            return None
        for before in reached[-2::-1]:
            path.append(int((before + self._into[path[-1]]).argmax()))
        return path[::-1]
