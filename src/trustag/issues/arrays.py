"""Issues in labels and probabilities of a user's own model, called and answered as cleanlab's token functions are.

No training of ours and no torch is needed: probabilities must come from a model that has not seen the labels, such as
cross-validated ones. Noise rates are estimated from the same numbers unless they are given.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.errors import InputError
from trustag.issues.ranking import LIKELY, fitted_ranking
from trustag.noise_rates.estimation import check_tables, estimate_noise_rates
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE, is_label, split_label

Rows: TypeAlias = Sequence[Sequence[int]]
Tables: TypeAlias = Sequence[npt.NDArray[np.floating[Any]]]
SentenceScore: TypeAlias = Literal["min", "softmin"]

_TEMPERATURE: Final = 0.05
_ALONE: Final = "S"


def find_label_issues(
    labels: Rows,
    pred_probs: Tables,
    *,
    class_names: Sequence[str] | None = None,
    noise_rates: tuple[float, float] | None = None,
    training_confidence: Sequence[npt.NDArray[np.floating[Any]]] | None = None,
) -> list[tuple[int, int]]:
    """Return (sentence, token) of every label that is more likely wrong than right, worst first.

    ``labels`` are class numbers, negative where unknown, ``pred_probs`` a row of class probabilities for each token.
    ``class_names`` say which class is ``O`` and what positions and types the others have; without them the first class
    is ``O`` and every other a type. ``training_confidence`` is that in each label of models that were trained on it.
    """
    scores = [1.0 - row for row in _quality(labels, pred_probs, class_names, noise_rates, training_confidence)]
    found = [
        (-score, sentence, token)
        for sentence, row in enumerate(scores)
        for token, score in enumerate(row.tolist())
        if score > LIKELY
    ]
    return [(sentence, token) for _, sentence, token in sorted(found)]


def get_label_quality_scores(  # noqa: PLR0913 - cleanlab's arguments and ours
    labels: Rows,
    pred_probs: Tables,
    *,
    tokens: Sequence[Sequence[str]] | None = None,
    sentence_score_method: SentenceScore = "min",
    class_names: Sequence[str] | None = None,
    noise_rates: tuple[float, float] | None = None,
    training_confidence: Sequence[npt.NDArray[np.floating[Any]]] | None = None,
) -> tuple[npt.NDArray[np.float64], list[Any]]:
    """Return how good each sentence's labels look, and each token's: 0 is surely wrong, 1 surely right.

    Token scores are pandas series, with ``tokens`` as their index where given; without pandas they are arrays.
    """
    rows = _quality(labels, pred_probs, class_names, noise_rates, training_confidence)
    overall = np.array([_of_sentence(row, sentence_score_method) for row in rows], dtype=np.float64)
    return overall, _as_series(rows, tokens)


def _quality(
    labels: Rows,
    pred_probs: Tables,
    class_names: Sequence[str] | None,
    noise_rates: tuple[float, float] | None,
    training_confidence: Sequence[npt.NDArray[np.floating[Any]]] | None,
) -> list[npt.NDArray[np.float64]]:
    """Return the quality of every label, by sentence; unknown labels cannot be wrong."""
    tables = [np.asarray(table, dtype=np.float64) for table in pred_probs]
    label_set, columns = _label_set(class_names, tables)
    given = [_numbered(row, columns) for row in labels]
    # Columns in the order of the label set; labels that no class stands for are never probable.
    ordered = [_reordered(table, columns, len(label_set)) for table in tables]
    check_tables(given, ordered, label_set)
    if noise_rates is None:
        rates = estimate_noise_rates(given, ordered, label_set)
        noise_rates = rates.negative.estimate, rates.positive.estimate
    lengths = [len(row) for row in given]
    numbers = np.concatenate([np.zeros(0, dtype=np.int64), *given])
    every = np.concatenate([np.zeros((0, len(label_set))), *ordered])
    confidence = every[np.arange(len(numbers)), numbers.clip(min=0)]
    seen = None if training_confidence is None else np.concatenate([np.zeros(0), *map(np.asarray, training_confidence)])
    ranking = fitted_ranking(numbers, confidence, seen, noise_rates)
    quality = 1.0 - ranking.how_wrong(confidence, seen, numbers > 0)
    quality[numbers < 0] = 1.0
    return np.split(quality, np.cumsum(lengths)[:-1]) if lengths else []


def _label_set(class_names: Sequence[str] | None, tables: Tables) -> tuple[LabelSet, list[int]]:
    """Return the labels that classes stand for, and the number of each class among them."""
    width = max((table.shape[-1] for table in tables), default=1)
    names = [OUTSIDE, *map(str, range(1, width))] if class_names is None else list(class_names)
    if names.count(OUTSIDE) != 1 or len(set(names)) < len(names):
        raise InputError("class_names must differ and hold O once", remedy="name every class, O among them")
    if len(names) != width:
        raise InputError(f"{len(names)} class names for {width} columns", remedy="name every column of pred_probs")
    tags = names if all(map(is_label, names)) else [n if n == OUTSIDE else f"{_ALONE}-{n}" for n in names]
    split = [split_label(tag) for tag in tags if tag != OUTSIDE]
    positions = "".join(dict.fromkeys(position for position, _ in split)) or _ALONE
    label_set = LabelSet(tuple(dict.fromkeys(kind for _, kind in split)), positions)
    return label_set, [label_set.index[tag] for tag in tags]


def _numbered(row: Sequence[int], columns: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the labels of a sentence by their numbers in the label set; a class without a column gets one too high."""
    beyond = max(columns) + 1
    numbers = [-1 if label < 0 else columns[label] if label < len(columns) else beyond for label in map(int, row)]
    return np.array(numbers, dtype=np.int64)


def _reordered(table: npt.NDArray[np.float64], columns: Sequence[int], width: int) -> npt.NDArray[np.float64]:
    if table.ndim != 2 or table.shape[1] != len(columns):
        return table  # for the check to name
    ordered = np.zeros((len(table), width))
    ordered[:, columns] = table
    return ordered


def _of_sentence(row: npt.NDArray[np.float64], method: SentenceScore) -> float:
    """Return the score of a sentence: that of its worst label, or a mean in which bad labels weigh most."""
    if not len(row):
        return 1.0
    if method == "min":
        return float(row.min())
    weights = np.exp((row.min() - row) / _TEMPERATURE)
    return float((row * weights).sum() / weights.sum())


def _as_series(rows: list[npt.NDArray[np.float64]], tokens: Sequence[Sequence[str]] | None) -> list[Any]:
    try:
        import pandas as pd  # noqa: PLC0415 - only where it is installed
    except ImportError:
        return list(rows)
    indices = [None] * len(rows) if tokens is None else [list(row) for row in tokens]
    return [pd.Series(row, index=index) for row, index in zip(rows, indices, strict=True)]
