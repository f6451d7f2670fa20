"""Sentences ready for a network: their tokens, and their labels as numbers of one label set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from trustag.errors import InputError
from trustag.text.label_sets import LabelSet
from trustag.text.labels import Label
from trustag.text.schemes import LETTERS, Scheme, convert_labels
from trustag.text.sentences import REVIEWED, Sentence

NO_LABEL: Final = -1
MODEL_SCHEME: Final = Scheme.IOBES


def label_set(types: Iterable[str]) -> LabelSet:
    """Return the labels a model tells apart for these entity types."""
    return LabelSet(tuple(types), LETTERS[MODEL_SCHEME])


@dataclass(frozen=True, slots=True)
class Numbered:
    """Sentences with labels as numbers; ``NO_LABEL`` stands for unknown. Empty sentences are left out by the caller.

    ``gold`` is there when at least one sentence has gold labels; those of types the model does not know have a number
    beyond its labels, since they differ from whatever was given. ``reviewed`` says which labels a person has decided
    on; it is there when there are such.
    """

    tokens: tuple[tuple[str, ...], ...]
    labels: tuple[Tensor, ...]
    gold: tuple[Tensor, ...] | None = None
    reviewed: tuple[Tensor, ...] | None = None

    @property
    def lengths(self) -> list[int]:
        """The number of tokens of each sentence."""
        return [len(tokens) for tokens in self.tokens]

    @property
    def settled(self) -> Tensor:
        """Which labels are beyond doubt, for all tokens in a row."""
        known = torch.cat(self.labels) != NO_LABEL
        return torch.zeros_like(known) if self.reviewed is None else known & torch.cat(self.reviewed)

    @property
    def doubtable(self) -> Tensor:
        """The labels of all tokens in a row, with ``NO_LABEL`` for those that are settled too."""
        return torch.cat(self.labels).masked_fill(self.settled, NO_LABEL)


def number_sentences(sentences: Sequence[Sentence], labels: LabelSet, *, as_written: bool = False) -> Numbered:
    """Return ``sentences`` with their labels numbered as in ``labels``; a type that is not among them is an error.

    Labels of any scheme are read and put into that of the model; labels ``as_written`` are in it already and stay
    as they are, even where no entity is spelled that way.
    """
    numbers: dict[Label, int] = {None: NO_LABEL}
    numbers.update(labels.index)
    rows = []
    for sentence in sentences:
        converted = sentence.labels if as_written else convert_labels(sentence.labels, MODEL_SCHEME)
        rows.append(torch.tensor([_number(label, numbers, sentence) for label in converted], dtype=torch.long))
    tokens = tuple(sentence.tokens for sentence in sentences)
    return Numbered(tokens, tuple(rows), _numbered_gold(sentences, labels), _reviewed(sentences))


def number_truth(rows: Iterable[Sequence[Label]], labels: LabelSet) -> tuple[Tensor, ...]:
    """Return true labels numbered as in ``labels``; a type that is not among them gets a number beyond all of theirs.

    It differs from whatever a model of ``labels`` may say.
    """
    numbers: dict[Label, int] = {None: NO_LABEL}
    numbers.update(labels.index)
    return tuple(
        torch.tensor([numbers.get(label, len(labels)) for label in convert_labels(row, MODEL_SCHEME)], dtype=torch.long)
        for row in rows
    )


def _numbered_gold(sentences: Sequence[Sentence], labels: LabelSet) -> tuple[Tensor, ...] | None:
    if all(sentence.gold is None for sentence in sentences):
        return None
    unknown = ((None,) * len(sentence.tokens) for sentence in sentences)
    rows = zip((sentence.gold for sentence in sentences), unknown, strict=True)
    return number_truth((gold if gold is not None else nothing for gold, nothing in rows), labels)


def _reviewed(sentences: Sequence[Sentence]) -> tuple[Tensor, ...] | None:
    if all(sentence.token_sources is None or REVIEWED not in sentence.token_sources for sentence in sentences):
        return None
    sources = (sentence.token_sources or (None,) * len(sentence) for sentence in sentences)
    return tuple(torch.tensor([source == REVIEWED for source in row], dtype=torch.bool) for row in sources)


def _number(label: Label, numbers: dict[Label, int], sentence: Sentence) -> int:
    try:
        return numbers[label]
    except KeyError:
        raise InputError(
            f"the label {label!r} is of a type the model does not know", where=sentence.source, remedy="check the types"
        ) from None


def padded_labels(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the labels of some sentences as one padded table, and the mask of what is no padding."""
    lengths = torch.tensor([len(row) for row in rows])
    mask = torch.arange(int(lengths.max()))[None, :] < lengths[:, None]
    table = torch.full(mask.shape, NO_LABEL)
    table[mask] = torch.cat(list(rows))
    return table, mask
