"""What a fitted estimator knows: its model, and what was found of every label, in the order of the given sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, count, pairwise
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
from trustag.text.labels import OUTSIDE, Label, split_label
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence

_BY_NEIGHBOURS = {Scheme.IOB1: Scheme.IOB2, Scheme.IOE1: Scheme.IOE2}


@dataclass(frozen=True, slots=True)
class LearnedLabels:
    """What was found of the labels; a method that takes labels as given leaves them as they are and finds nothing.

    ``scheme`` is the one to predict in: that of the given labels, or where the labels of that depend on their
    neighbours (IOB1, IOE1) the nearest in which they do not. ``types_only`` says that labels are types without
    positions.
    """

    scheme: Scheme
    relabelled: list[list[Label]]
    changes: tuple[Change, ...] = ()
    noise_rates: FoundRates | None = None
    detection: Detection | None = None
    notes: tuple[Note, ...] = ()
    types_only: bool = False

    def spelled(self, label: Label) -> Label:
        """Return a label as the given ones are written: a type without a position where these are such.

        >>> LearnedLabels(Scheme.IO, [], types_only=True).spelled("I-PER")
        'PER'
        """
        return split_label(label)[1] if self.types_only and label is not None and label != OUTSIDE else label

    def as_types(self) -> "LearnedLabels":
        """Return the same with labels that are types without positions."""
        own = replace(self, types_only=True)
        changes = [replace(one, before=own.spelled(one.before), after=own.spelled(one.after)) for one in self.changes]
        relabelled = [[own.spelled(label) for label in row] for row in self.relabelled]
        return replace(own, relabelled=relabelled, changes=tuple(changes))


@dataclass(frozen=True, slots=True)
class FittedState:
    """Everything that fitting leaves; the confidence in each given label is there where labels were doubted."""

    model: Predictor
    recipe: Recipe
    learned: LearnedLabels
    confidence: Rows[npt.NDArray[np.float32]] | None = None
    trusted: Rows[npt.NDArray[np.bool_]] | None = None


def fitted(
    model: Predictor,
    recipe: Recipe,
    trained: TrainResult,
    sentences: Sequence[Sentence],
    notes: Sequence[Note],
    trusted: Sequence[Sentence] = (),
) -> FittedState:
    """Return what a run on ``sentences`` found; sentences without tokens, which runs leave out, are back.

    Sentences that are ``trusted`` ones too have the labels of these: where they differ from the given ones, the given
    ones are wrong.
    """
    scheme = Survey().add(sentences).scheme.scheme
    predicted = _BY_NEIGHBOURS.get(scheme, scheme)
    found = trained.analysis
    if found is None:
        relabelled = [list(sentence.labels) for sentence in sentences]
        return FittedState(model, recipe, LearnedLabels(predicted, relabelled, notes=tuple(notes)))
    rows = _training_rows(sentences, trusted)
    relabelled = [[] if row is None else list(found.relabelled[row].labels) for row in rows]
    lengths = [len(sentence) for sentence in found.relabelled]
    confidence, is_trusted = cut(_scores(found), lengths), cut(found.columns["trusted"], lengths)
    known = {} if not trusted else _known_wrong(sentences, relabelled, rows, len(found.relabelled) - len(trusted))
    changes = tuple(_changes(found, sentences, relabelled, rows, known))
    learned = LearnedLabels(predicted, relabelled, changes, found.rates, found.detection, tuple(notes))
    return FittedState(
        model,
        recipe,
        learned,
        _of_places(confidence, rows, known, np.float32(0)),
        _of_places(is_trusted, rows, known, np.bool_(False)),
    )


def _training_rows(sentences: Sequence[Sentence], trusted: Sequence[Sentence]) -> list[int | None]:
    """Return where each sentence stands in the training corpus of its run, in which trusted ones come last."""
    last = {sentence.tokens: number for number, sentence in enumerate(s for s in trusted if s.tokens)}
    kept = count(0)
    own = [None if not s.tokens or s.tokens in last else next(kept) for s in sentences]
    begin = next(kept)
    return [begin + last[s.tokens] if s.tokens in last else row for s, row in zip(sentences, own, strict=True)]


def _known_wrong(
    sentences: Sequence[Sentence], relabelled: Sequence[Sequence[Label]], rows: Sequence[int | None], begin: int
) -> dict[int, list[int]]:
    """Return the tokens whose given labels differ from trusted ones, by sentence; these stand from ``begin`` on."""
    return {
        place: [token for token, (old, new) in enumerate(zip(sentence.labels, labels, strict=True)) if old != new]
        for place, (sentence, labels, row) in enumerate(zip(sentences, relabelled, rows, strict=True))
        if row is not None and row >= begin
    }


def _of_places(
    found: Rows[npt.NDArray[Any]], rows: Sequence[int | None], known_wrong: dict[int, list[int]], wrong: np.generic
) -> Rows[npt.NDArray[Any]]:
    """Return the row of every given sentence, with the value ``wrong`` at labels that are known to be so."""
    given = Rows(np.zeros(0, wrong.dtype) if row is None else found[row].copy() for row in rows)
    for place, tokens in known_wrong.items():
        given[place][tokens] = wrong
    return given


def _changes(
    found: LabelAnalysis,
    sentences: Sequence[Sentence],
    relabelled: Sequence[Sequence[Label]],
    rows: Sequence[int | None],
    known_wrong: dict[int, list[int]],
) -> Iterator[Change]:
    """Yield the changes of given labels: those of the run, and those to trusted labels."""
    places = {row: place for place, row in enumerate(rows) if row is not None and place not in known_wrong}
    for change in found.changes:
        if change.sentence in places:
            yield replace(change, sentence=places[change.sentence])
    for place, tokens in known_wrong.items():
        own = sentences[place]
        for token in tokens:
            before, after = own.labels[token], relabelled[place][token]
            known = None if before is None else 0.0
            yield Change(found.round, place, token, own.tokens[token], before, after, known, 1.0)


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
