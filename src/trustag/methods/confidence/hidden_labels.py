"""Entity labels that look wrong before any model was trained, and are hidden from fold models.

A dictionary of first names labels *Bill* in *Bill Clinton* wherever it occurs, and models that see it a thousand times
agree. Models that saw none of these labels predict from whole names, and then it shows whether the labels are
truncated entities or right as they are, like the names after a capitalised noun in German.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from trustag.crossfit.folds import HiddenLabels
from trustag.data.encoded_corpus import NO_LABEL
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.noise.sentence_initial_words import sentence_initial_entities
from trustag.noise.truncated_entities import truncated_entities
from trustag.noise_rates.rates import TruncatedEntityCounts
from trustag.notes import Note, Watch
from trustag.training.task import Task

_WORDS_SHOWN: Final = 5


class SuspiciousLabels:
    """The suspicious entity labels of a task, found once; which of them are hidden is decided later."""

    def __init__(self, task: Task, settings: ConfidenceSettings) -> None:
        self._corpus = task.corpus
        self._initial = self._none()
        self._truncated = self._none()
        if settings.sentence_initial_words == "as O":
            self._initial = self._unreviewed(sentence_initial_entities(task.sentences))
        if settings.truncated_entities != "visible":
            self._truncated = self._unreviewed(truncated_entities(task.sentences)) & ~self._initial
        self.is_asked = settings.truncated_entities == "auto"

    def all(self) -> HiddenLabels:
        """Return all of them as hidden, as for models that are to decide on truncated entities."""
        return HiddenLabels(self._initial, self._truncated)

    def decided(self, counts: TruncatedEntityCounts | None) -> HiddenLabels:
        """Return those that stay hidden, by what models made of truncated entities where they were asked."""
        if not self.is_asked or (counts is not None and counts.are_wrong):
            return self.all()
        return HiddenLabels(self._initial, self._none())

    def counts(self, label_ids: Tensor, predicted: Tensor) -> TruncatedEntityCounts | None:
        """Return what ``predicted`` labels (tokens,) make of truncated entities, if models are asked."""
        if not self.is_asked:
            return None
        truncated = self._truncated & (label_ids > 0)
        others = ~self.all().any & (label_ids > 0) & (predicted != NO_LABEL)
        same = predicted == label_ids
        return TruncatedEntityCounts(
            labels=int(truncated.sum()),
            same=int(same[truncated].sum()),
            another=int(((predicted > 0) & ~same)[truncated].sum()),
            agreed=int(same[others].sum()) / max(1, int(others.sum())),
        )

    def _none(self) -> Tensor:
        return torch.zeros_like(self._corpus.is_reviewed)

    def _unreviewed(self, rows: Sequence[Sequence[bool]]) -> Tensor:
        return torch.tensor([is_one for row in rows for is_one in row]) & ~self._corpus.reviewed


def note_sentence_initial_words(task: Task, hidden: HiddenLabels, watch: Watch) -> None:
    """Say which words are labelled as entities and seen as ``O``, since they only begin a sentence."""
    marks = zip(task.sentences, torch.split(hidden.as_outside, task.corpus.lengths), strict=True)
    words = Counter(sentence.tokens[0] for sentence, row in marks if row.any())
    if words:
        shown = ", ".join(f"{word} {count}" for word, count in words.most_common(_WORDS_SHOWN))
        more = ", ..." if len(words) > _WORDS_SHOWN else ""
        what = "entity labels of common words that begin a sentence"
        watch(Note("suspicious", what, f"{words.total():,} are not trusted: {shown}{more}"))


def note_truncated_entities(counts: TruncatedEntityCounts | None, watch: Watch) -> None:
    """Say that labels on one word of a longer name are hidden, and why."""
    if counts is not None and counts.are_wrong:
        what = "entity labels on one word of a longer name"
        seen = f"{counts.another:,} as part of another entity, {counts.same:,} as labelled"
        watch(
            Note("suspicious", what, f"{counts.labels:,} are not trusted: models that did not see them predict {seen}")
        )
