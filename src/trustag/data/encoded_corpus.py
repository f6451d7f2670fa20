"""A training corpus ready for a network: its tokens, and its labels as indices into one label set, encoded once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Final

import torch
from torch import Tensor

from trustag.errors import InputError
from trustag.text.label_sets import LabelSet
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import REVIEWED, Sentence
from trustag.text.soft_labels import PROBABILITIES, read_probabilities

NO_LABEL: Final = -1
"""The index of an unknown label."""


@dataclass(frozen=True)
class EncodedCorpus:
    """Sentences, none of them empty, with one label index a token; the tokens of all sentences stand in a row.

    ``label_ids`` (tokens,) holds ``NO_LABEL`` where a label is unknown. ``gold_ids`` (tokens,) is there when at least
    one sentence has gold labels; those of types that are not in ``labels`` have an index beyond all of these, since
    they differ from whatever was given. ``is_reviewed`` (tokens,) marks labels that a person has decided on.
    ``probabilities`` (tokens, labels) is there when sources of the labels say how probable each label is.
    """

    tokens: tuple[tuple[str, ...], ...]
    labels: LabelSet
    label_ids: Tensor
    gold_ids: Tensor | None
    is_reviewed: Tensor
    probabilities: Tensor | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def lengths(self) -> list[int]:
        """The number of tokens of each sentence."""
        return [len(tokens) for tokens in self.tokens]

    @cached_property
    def offsets(self) -> list[int]:
        """The index of the first token of each sentence among all tokens, and the number of all tokens at the end."""
        return [0, *accumulate(self.lengths)]

    @cached_property
    def rows(self) -> tuple[Tensor, ...]:
        """The label indices sentence by sentence."""
        return torch.split(self.label_ids, self.lengths)

    @cached_property
    def reviewed(self) -> Tensor:
        """Which labels a person has decided on (tokens,); an unknown label cannot be one of them."""
        return (self.label_ids != NO_LABEL) & self.is_reviewed

    @cached_property
    def unreviewed_ids(self) -> Tensor:
        """The label indices (tokens,) with ``NO_LABEL`` for reviewed labels too: those that may be wrong."""
        return self.label_ids.masked_fill(self.reviewed, NO_LABEL)

    def token_indices(self, sentences: Iterable[int]) -> Tensor:
        """Return the indices of the tokens of some sentences among all tokens, in the order of ``sentences``."""
        offsets = self.offsets
        return torch.cat([torch.arange(offsets[number], offsets[number + 1]) for number in sentences])

    def subset(self, sentences: Sequence[int]) -> "EncodedCorpus":
        """Return the corpus of some sentences, by their numbers."""
        indices = self.token_indices(sentences)
        return EncodedCorpus(
            tuple(self.tokens[number] for number in sentences),
            self.labels,
            self.label_ids[indices],
            None if self.gold_ids is None else self.gold_ids[indices],
            self.is_reviewed[indices],
            None if self.probabilities is None else self.probabilities[indices],
        )

    def with_labels(self, label_ids: Tensor) -> "EncodedCorpus":
        """Return the same sentences with other label indices (tokens,), of which no probabilities are known."""
        return replace(self, label_ids=label_ids, probabilities=None)

    def label_names(self) -> list[tuple[Label, ...]]:
        """Return the labels of every sentence by name, None where unknown."""
        names: tuple[Label, ...] = (*self.labels.labels, None)
        return [tuple(names[label] for label in row.tolist()) for row in self.rows]


def encode(sentences: Sequence[Sentence], labels: LabelSet) -> EncodedCorpus:
    """Return ``sentences`` with their labels, of any scheme, as indices into ``labels``.

    A type that is not in ``labels`` is an error that names the sentence.
    """
    indices = _indices(labels)
    rows = []
    for sentence in sentences:
        converted = convert_labels(sentence.labels, labels.scheme)
        rows.append(torch.tensor([_index(label, indices, sentence) for label in converted], dtype=torch.long))
    sources = (sentence.token_sources or (None,) * len(sentence) for sentence in sentences)
    label_ids = torch.cat([torch.empty(0, dtype=torch.long), *rows])
    is_reviewed = torch.tensor([source == REVIEWED for row in sources for source in row], dtype=torch.bool)
    return EncodedCorpus(
        tuple(sentence.tokens for sentence in sentences),
        labels,
        label_ids,
        _gold(sentences, labels),
        is_reviewed,
        _probabilities(sentences, labels, label_ids, is_reviewed),
    )


def encode_gold(rows: Iterable[Sequence[Label]], labels: LabelSet) -> tuple[Tensor, ...]:
    """Return true labels, of any scheme, as indices into ``labels``, row by row.

    A type that is not in ``labels`` gets an index beyond all of them: it differs from whatever a model may say.
    """
    indices = _indices(labels)
    return tuple(
        torch.tensor(
            [indices.get(label, len(labels)) for label in convert_labels(row, labels.scheme)], dtype=torch.long
        )
        for row in rows
    )


def decode_labels(label_ids: Tensor, corpus: EncodedCorpus, scheme: Scheme) -> list[tuple[Label, ...]]:
    """Return label indices (tokens,) as the labels of each sentence of ``corpus``, written in ``scheme``."""
    written = corpus.with_labels(label_ids).label_names()
    return [tuple(convert_labels(labels, scheme)) for labels in written]


def _indices(labels: LabelSet) -> dict[Label, int]:
    indices: dict[Label, int] = {None: NO_LABEL}
    indices.update(labels.index)
    return indices


def _gold(sentences: Sequence[Sentence], labels: LabelSet) -> Tensor | None:
    if all(sentence.gold is None for sentence in sentences):
        return None
    rows = (sentence.gold if sentence.gold is not None else (None,) * len(sentence) for sentence in sentences)
    return torch.cat(encode_gold(rows, labels))


def _probabilities(
    sentences: Sequence[Sentence], labels: LabelSet, label_ids: Tensor, is_reviewed: Tensor
) -> Tensor | None:
    """Return the probabilities of labels that sources of them left in a column; None where there are none.

    Where they say nothing, a given label is certain, as reviewed ones are, and an unknown one may be any.
    """
    if not any(PROBABILITIES in sentence.columns for sentence in sentences):
        return None
    table = torch.zeros(len(label_ids), len(labels))
    table[label_ids == NO_LABEL] = 1 / len(labels)
    known = label_ids != NO_LABEL
    table[known, label_ids[known]] = 1.0
    token = 0
    for sentence in sentences:
        for place, text in enumerate(sentence.columns.get(PROBABILITIES, ())):
            found = _stated(sentence, place, text, labels)
            if found and not (is_reviewed[token + place] and known[token + place]):
                table[token + place] = 0.0
                table[token + place, list(found)] = torch.tensor(list(found.values()))
        token += len(sentence)
    return table


def _stated(sentence: Sentence, place: int, text: str, labels: LabelSet) -> Mapping[int, float]:
    """Return the probabilities that a column states for one token, by label index."""
    try:
        found = read_probabilities(text)
    except InputError as error:
        raise InputError(error.finding, where=sentence.line_of(place), remedy=error.remedy) from None
    strange = next((label for label in found if label not in labels.index), None)
    if strange is not None:
        finding = f"column {PROBABILITIES!r} names the label {strange!r}, but no label is of its type and scheme"
        remedy = f"give probabilities of labels in {labels.scheme}, as trustag merge writes them"
        raise InputError(finding, where=sentence.line_of(place), remedy=remedy)
    return {labels.index[label]: value for label, value in found.items()}


def _index(label: Label, indices: dict[Label, int], sentence: Sentence) -> int:
    try:
        return indices[label]
    except KeyError:
        raise InputError(
            f"the label {label!r} is of a type the model does not know", where=sentence.source, remedy="check the types"
        ) from None


def pad_labels(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the labels of some sentences padded to (sentences, tokens), and the mask of what is no padding."""
    lengths = torch.tensor([len(row) for row in rows])
    mask = torch.arange(int(lengths.max()))[None, :] < lengths[:, None]
    table = torch.full(mask.shape, NO_LABEL)
    table[mask] = torch.cat(list(rows))
    return table, mask
