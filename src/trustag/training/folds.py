"""What fold models are not told: whole sentences, as in the paper, or the labels of names wherever they stand.

Every label is hidden from one model, which judges it. With sentences hidden, each model learns from the other parts of
the corpus. With names hidden, each learns from all sentences, where the labels of its share of the names are unknown.
Some labels may be told to nobody: entity labels of common words that merely begin a sentence, of which models hear
``O`` instead, and those of names that were cut, of which they hear nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple, Protocol, TypeAlias

import torch
from msgspec.structs import replace as changed
from torch import Tensor

from trustag.crf import mean_chain
from trustag.crf.outputs import Judgement
from trustag.data.encoded_corpus import Numbered
from trustag.noise.sentence_initial_words import sentence_initial_entities
from trustag.noise.surface_names import Name, name_runs, names_of
from trustag.noise.truncated_entities import truncated_entities
from trustag.recipes.settings import Recipe
from trustag.seeded_random import SeededRandom
from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence

Part: TypeAlias = list[int]

NOBODY: Final = -1


class Piece(NamedTuple):
    """Some sentences, by their numbers, and one judgement of all of them."""

    sentences: Part
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Withheld:
    """Labels that no model is told, marked among all tokens of the corpus: told as ``O`` instead, or as unknown."""

    outside: Tensor
    unknown: Tensor

    @property
    def either(self) -> Tensor:
        """Both of them."""
        return self.outside | self.unknown


class Folds(Protocol):
    """How the labels of a corpus are shared out among fold models."""

    @property
    def count(self) -> int:
        """How many folds there are."""
        ...

    @property
    def lengths(self) -> Sequence[int]:
        """The number of tokens of each sentence."""
        ...

    def learnt(self, fold: int) -> Part:
        """Return the sentences that the model of ``fold`` learns from."""
        ...

    def judged(self, fold: int) -> Part:
        """Return the sentences that it judges."""
        ...

    def told(self, fold: int) -> Tensor:
        """Return, for all tokens of the sentences it learns from, whether it is told their labels."""
        ...

    @property
    def withheld(self) -> Withheld:
        """The labels that are told to no model."""
        ...

    @property
    def untold(self) -> Tensor:
        """Whether a token's label is told to no model, for all tokens of the corpus."""
        ...

    def pieces(self, judgements: Sequence[Judgement]) -> list[Piece]:
        """Return one judgement of every sentence, made of what the models of all folds say."""
        ...


@dataclass(frozen=True, slots=True)
class SentenceFolds:
    """Parts of the corpus: each is judged by a model that learns from the others."""

    parts: Sequence[Part]
    lengths: Sequence[int]
    withheld: Withheld

    @property
    def untold(self) -> Tensor:
        """Whether a token's label is told to no model, for all tokens of the corpus."""
        return self.withheld.either

    @property
    def count(self) -> int:
        """How many parts there are."""
        return len(self.parts)

    def learnt(self, fold: int) -> Part:
        """Return the sentences of the other parts."""
        return sorted(number for other, part in enumerate(self.parts) if other != fold for number in part)

    def judged(self, fold: int) -> Part:
        """Return the sentences of the part itself."""
        return self.parts[fold]

    def told(self, fold: int) -> Tensor:
        """Labels of the other parts are told, but for those that nobody is."""
        return ~self.untold[places(self.lengths, self.learnt(fold))]

    def pieces(self, judgements: Sequence[Judgement]) -> list[Piece]:
        """Each part keeps the judgement of its own model."""
        return [Piece(part, judgement) for part, judgement in zip(self.parts, judgements, strict=True)]


@dataclass(frozen=True, slots=True)
class NameFolds:
    """Shares of the names: all models read all sentences, each without the labels of its own share.

    ``hidden_from`` is the fold that each token's label is hidden from, ``NOBODY`` where every model may be told it.
    """

    hidden_from: Tensor
    lengths: Sequence[int]
    withheld: Withheld
    count: int

    @property
    def untold(self) -> Tensor:
        """Whether a token's label is told to no model, for all tokens of the corpus."""
        return self.withheld.either

    def learnt(self, fold: int) -> Part:  # noqa: ARG002 - the protocol's
        """Return all sentences."""
        return list(range(len(self.lengths)))

    def judged(self, fold: int) -> Part:  # noqa: ARG002 - the protocol's
        """Return all sentences."""
        return list(range(len(self.lengths)))

    def told(self, fold: int) -> Tensor:
        """Labels of the other shares and of what is no name are told, but for those that nobody is."""
        return (self.hidden_from != fold) & ~self.untold

    def pieces(self, judgements: Sequence[Judgement]) -> list[Piece]:
        """Each token is scored by the model that was not told its label, or by all alike; the chain is their mean."""
        scores = torch.stack([judgement.emissions for judgement in judgements])
        mixed = scores.mean(0)
        for fold in range(self.count):
            own = self.hidden_from == fold
            mixed[own] = scores[fold, own]
        chain = mean_chain([judgement.chain for judgement in judgements])
        return [Piece(list(range(len(self.lengths))), Judgement(list(self.lengths), mixed, chain))]


def draw_folds(sentences: Sequence[Sentence], numbered: Numbered, recipe: Recipe, drawing: int) -> Folds:
    """Return the folds of a corpus that the recipe asks for; the same seed and drawing give the same ones."""
    count, seed = recipe.rounds.folds, recipe.training.seed
    withheld = _withheld(sentences, numbered, recipe)
    if recipe.rounds.hide == "names":
        hidden = _hidden_from(names_of(sentences), numbered, count, SeededRandom(seed, f"names of drawing {drawing}"))
        return NameFolds(hidden, numbered.lengths, withheld, count)
    return SentenceFolds(draw_parts(len(sentences), count, seed, drawing), numbered.lengths, withheld)


def draw_parts(sentences: int, folds: int, seed: int, drawing: int) -> list[Part]:
    """Return the sentence numbers of each fold, of sizes that differ by one at most; no fold is empty.

    >>> sorted(map(len, draw_parts(5, 2, seed=1, drawing=0)))
    [2, 3]
    """
    order = SeededRandom(seed, f"folds of drawing {drawing}").shuffled(range(sentences))
    count = min(folds, sentences)
    return [sorted(order[fold::count]) for fold in range(count)]


def _withheld(sentences: Sequence[Sentence], numbered: Numbered, recipe: Recipe) -> Withheld:
    """Return the labels that the recipe wants told to nobody; those that a person has decided on are told."""

    def doubtful(rows: Sequence[Sequence[bool]]) -> Tensor:
        return torch.tensor([is_one for row in rows for is_one in row]) & ~numbered.settled

    settings, none = recipe.confidence, torch.zeros_like(numbered.settled)
    common = doubtful(sentence_initial_entities(sentences)) if settings.common_words == "doubted" else none
    cut = doubtful(truncated_entities(sentences)) if settings.cut_names != "believed" else none
    return Withheld(common, cut & ~common)


def _hidden_from(names: Sequence[tuple[Name, ...]], numbered: Numbered, folds: int, rng: SeededRandom) -> Tensor:
    """Share the names out among the folds; where a person has decided on a part of one, it is not hidden there."""
    known = sorted({name for row in names for name in row if name is not None})
    share = {name: number % folds for number, name in enumerate(rng.shuffled(known))}
    settled = numbered.settled
    hidden = torch.full(settled.shape, NOBODY)
    for name, run in name_runs(names):
        tokens = slice(run.start, run.stop)
        if not settled[tokens].any():
            hidden[tokens] = share[name]
    return hidden


def places(lengths: Sequence[int], sentences: Part) -> Tensor:
    """Return where the tokens of some sentences stand among all tokens of a corpus with sentences of these lengths."""
    first = [0, *accumulate(lengths)]
    return torch.cat([torch.arange(first[number], first[number + 1]) for number in sentences])


def told_labels(sentences: Sequence[Sentence], folds: Folds, fold: int) -> list[Sentence]:
    """Return the sentences that the model of ``fold`` learns from, with the labels that it is told.

    Of common words that are labelled as an entity it is told that they are none, of names that were cut nothing.
    """
    learnt = folds.learnt(fold)
    lengths = [folds.lengths[number] for number in learnt]
    told = torch.split(folds.told(fold), lengths)
    outside = torch.split(folds.withheld.outside[places(folds.lengths, learnt)], lengths)
    chosen = (sentences[number] for number in learnt)
    rows = zip(chosen, told, outside, strict=True)
    return [sentence if own.all() else _without(sentence, own, common) for sentence, own, common in rows]


def _without(sentence: Sentence, told: Tensor, common: Tensor) -> Sentence:
    instead = (OUTSIDE if is_common else None for is_common in common.tolist())
    rows = zip(sentence.labels, told.tolist(), instead, strict=True)
    return changed(sentence, labels=tuple(label if is_told else other for label, is_told, other in rows))
