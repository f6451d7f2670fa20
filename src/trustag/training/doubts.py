"""The labels to look at first: hardly believed, with what models that have not seen them would put there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.text.disagreement import differing_run
from trustag.text.sentences import Sentence

SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubtful label: its place, the label there and the suggested one, and the probability of both.

    ``first`` and ``end`` are the tokens around it whose labels are doubtful in the same way.
    """

    sentence: int
    token: int
    first: int
    end: int
    given: str
    suggested: str
    score: float
    suggested_score: float


def least_trusted(
    given: Sequence[Sentence],
    suggested: Sequence[Sentence],
    columns: Mapping[str, npt.NDArray[Any]],
    count: int = SHOWN,
) -> tuple[Doubt, ...]:
    """Return the least probable labels that models would replace, the distrusted ones first.

    ``columns`` are those of ``confidence.npz``. Entity labels and ``O`` take turns, since they are not doubted alike;
    no sentence and no word appears twice, so that one frequent slip does not hide all others.
    """
    return tuple(islice(_varied(_ranked(given, suggested, columns), given), count))


def _ranked(
    given: Sequence[Sentence], suggested: Sequence[Sentence], columns: Mapping[str, npt.NDArray[Any]]
) -> Iterator[Doubt]:
    for place in _in_turns(columns):
        sentence, token = int(columns["sentence"][place]), int(columns["token"][place])
        old, new = given[sentence].labels, suggested[sentence].labels
        label, better = old[token], new[token]
        # Two labels of the models may be one in the scheme of the corpus.
        if label is not None and better is not None and label != better:
            scores = (float(columns[name][place]) for name in ("score", "suggested_score"))
            yield Doubt(sentence, token, *differing_run(old, new, token), label, better, *scores)


def _in_turns(columns: Mapping[str, npt.NDArray[Any]]) -> list[int]:
    """Return the tokens that models would label otherwise: the least trusted entity label, ``O`` label, and so on."""
    given = columns["label"]
    differing = np.flatnonzero((given >= 0) & (given != columns["suggested"]))
    order = differing[np.lexsort((columns["score"][differing], columns["trusted"][differing]))]
    groups = order[given[order] > 0].tolist(), order[given[order] == 0].tolist()
    return [place for turn in zip_longest(*groups) for place in turn if place is not None]


def _varied(doubts: Iterator[Doubt], sentences: Sequence[Sentence]) -> Iterator[Doubt]:
    """Yield the doubts whose sentence and word have not come before."""
    places: set[int] = set()
    words: set[str] = set()
    for doubt in doubts:
        word = sentences[doubt.sentence].tokens[doubt.token].casefold()
        if doubt.sentence not in places and word not in words:
            places.add(doubt.sentence)
            words.add(word)
            yield doubt
