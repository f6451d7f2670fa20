"""The training sentences of a run with given, new and gold labels, as far as the run has them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from trustag.errors import InputError
from trustag.runs.reading import RunFiles
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import Sentence


@dataclass(frozen=True, slots=True)
class TrainingSentence:
    """A sentence with its given labels; ``new`` ones where the run relabelled, ``gold`` ones from a gold column.

    ``origin`` is the sentence as the run took it in, which names its place, where the run kept it.
    """

    tokens: tuple[str, ...]
    given: tuple[Label, ...]
    new: tuple[Label, ...] | None = None
    gold: tuple[Label, ...] | None = None
    origin: Sentence | None = field(default=None, compare=False)


def training_sentences(run: RunFiles) -> Sequence[TrainingSentence] | None:
    """Return the training sentences, labels in the scheme of the models; None where the run did not keep them."""
    if run.labels is not None:
        origins = run.given if run.given is not None else (None,) * len(run.labels.sentences)
        if len(origins) != len(run.labels.sentences):
            finding = f"has {len(run.labels.sentences):,} sentences, {run.folder.given.name} {len(origins):,}"
            raise InputError(finding, where=run.folder.relabelled, remedy="use files of the same run")
        return [
            TrainingSentence(own.tokens, own.given, own.relabelled, own.gold, origin)
            for own, origin in zip(run.labels.sentences, origins, strict=True)
        ]
    if run.given is None:
        return None
    return [
        TrainingSentence(
            own.tokens,
            tuple(convert_labels(own.labels, Scheme.IOBES)),
            gold=None if own.gold is None else tuple(convert_labels(own.gold, Scheme.IOBES)),
            origin=own,
        )
        for own in run.given
    ]


def gold_label_indices(run: RunFiles) -> npt.NDArray[np.int64] | None:
    """Return the index of each token's gold label, (tokens,), as in ``confidence.npz``; None without a gold column.

    Unknown labels are -1; labels that never occur among the given ones get indices after the known ones.
    """
    if run.labels is None or run.label_columns is None or not run.labels.has_gold:
        return None
    indices: dict[Label, int] = {str(name): index for index, name in enumerate(run.label_columns["names"])}
    found: list[int] = []
    for sentence in run.labels.sentences:
        gold = sentence.gold if sentence.gold is not None else (None,) * len(sentence.tokens)
        found.extend(-1 if label is None else indices.setdefault(label, len(indices)) for label in gold)
    return np.array(found, dtype=np.int64)
