"""The training sentences of a run with all that is known of their labels, whatever the run left behind."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trustag.runs.label_columns import JUDGED_SCHEME
from trustag.runs.reading import RunFiles
from trustag.text.labels import Label
from trustag.text.schemes import convert_labels


@dataclass(frozen=True, slots=True)
class TrainingSentence:
    """A sentence as given; ``believed`` where the run doubted labels, ``gold`` where the corpus has a gold column."""

    tokens: tuple[str, ...]
    given: tuple[Label, ...]
    believed: tuple[Label, ...] | None = None
    gold: tuple[Label, ...] | None = None


def training_sentences(run: RunFiles) -> Sequence[TrainingSentence] | None:
    """Return the training sentences, labels in the scheme in which models judge; None where the run kept none."""
    if run.labels is not None:
        return [TrainingSentence(own.tokens, own.given, own.believed, own.gold) for own in run.labels.sentences]
    if run.given is None:
        return None
    return [
        TrainingSentence(
            own.tokens,
            tuple(convert_labels(own.labels, JUDGED_SCHEME)),
            gold=None if own.gold is None else tuple(convert_labels(own.gold, JUDGED_SCHEME)),
        )
        for own in run.given
    ]


def gold_numbers(run: RunFiles) -> npt.NDArray[np.int64] | None:
    """Return the number of each token's gold label as ``confidence.npz`` numbers labels; None without a gold column.

    Unknown is -1; labels that the given ones never have get numbers of their own after the known ones.
    """
    if run.labels is None or run.judgements is None or not run.labels.has_gold:
        return None
    numbers: dict[Label, int] = {str(name): number for number, name in enumerate(run.judgements["names"])}
    found: list[int] = []
    for sentence in run.labels.sentences:
        gold = sentence.gold if sentence.gold is not None else (None,) * len(sentence.tokens)
        found.extend(-1 if label is None else numbers.setdefault(label, len(numbers)) for label in gold)
    return np.array(found, dtype=np.int64)
