"""What a fitted estimator knows: its model, and what was found of every label, in the order of the given sentences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from trustag.corpora.survey import Survey
from trustag.estimator.sentence_rows import Rows
from trustag.label_quality.analysis import Change, LabelAnalysis
from trustag.label_quality.detection import Detection
from trustag.models.prediction import Predictor
from trustag.noise_rates.rates import FoundRates
from trustag.notes import Note
from trustag.pipeline import TrainResult
from trustag.recipes.settings import Recipe
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence

_BY_NEIGHBOURS = {Scheme.IOB1: Scheme.IOB2, Scheme.IOE1: Scheme.IOE2}


@dataclass(frozen=True, slots=True)
class LearnedLabels:
    """What was found of the labels; a method that takes labels as given leaves them as they are and finds nothing.

    ``scheme`` is the one to predict in: that of the given labels, or where the labels of that depend on their
    neighbours (IOB1, IOE1) the nearest in which they do not.
    """

    scheme: Scheme
    relabelled: list[list[Label]]
    changes: tuple[Change, ...] = ()
    noise_rates: FoundRates | None = None
    detection: Detection | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class FittedState:
    """Everything that fitting leaves; the confidence in each given label is there where labels were doubted."""

    model: Predictor
    recipe: Recipe
    learned: LearnedLabels
    confidence: Rows[npt.NDArray[np.float32]] | None = None
    trusted: Rows[npt.NDArray[np.bool_]] | None = None


def fitted(
    model: Predictor, recipe: Recipe, trained: TrainResult, sentences: Sequence[Sentence], notes: Sequence[Note]
) -> FittedState:
    """Return what a run on ``sentences`` found; sentences without tokens, which runs leave out, are back."""
    scheme = Survey().add(sentences).scheme.scheme
    predicted = _BY_NEIGHBOURS.get(scheme, scheme)
    relabelled = [list(sentence.labels) for sentence in sentences]
    found = trained.analysis
    if found is None:
        return FittedState(model, recipe, LearnedLabels(predicted, relabelled, notes=tuple(notes)))
    places = [place for place, sentence in enumerate(sentences) if sentence.tokens]
    for place, sentence in zip(places, found.relabelled, strict=True):
        relabelled[place] = list(sentence.labels)
    changes = tuple(replace(change, sentence=places[change.sentence]) for change in found.changes)
    learned = LearnedLabels(predicted, relabelled, changes, found.rates, found.detection, tuple(notes))
    lengths = [len(sentence) for sentence in sentences]
    return FittedState(model, recipe, learned, cut(_scores(found), lengths), cut(found.columns["trusted"], lengths))


def cut(column: npt.NDArray[Any], lengths: Sequence[int]) -> Rows[npt.NDArray[Any]]:
    """Return a column with an entry for every token as one array a sentence.

    >>> cut(np.array([1, 2, 3]), [2, 0, 1])
    [array([1, 2]), array([], dtype=int64), array([3])]
    """
    return Rows(column[start:end] for start, end in pairwise([0, *accumulate(lengths)]))


def _scores(found: LabelAnalysis) -> npt.NDArray[np.float32]:
    """Return the confidence in each label; there is none in a label that nobody gave."""
    scores = np.where(found.columns["label"] < 0, np.nan, found.columns["score"])
    return scores.astype(np.float32)
