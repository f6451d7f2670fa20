"""What fold models are not told: whole sentences, as in the paper, or the labels of names wherever they stand.

Every label is hidden from one model, which judges it. With sentences hidden, each model learns from the other parts of
the corpus. With names hidden, each learns from all sentences, where the labels of its share of the names are unknown.
Entity labels of common words that merely begin a sentence are then told to nobody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Final, NamedTuple, Protocol, TypeAlias

import torch
from msgspec.structs import replace as changed
from torch import Tensor

from trustag.confidence.judgement import Judgement
from trustag.confidence.selection import NoiseRates
from trustag.crf import mean_chain
from trustag.dice import Dice
from trustag.models.numbered import Numbered
from trustag.recipes.settings import Recipe
from trustag.text.labels import LabelSet
from trustag.text.names import Name, common_words_as_names, names_of
from trustag.text.sentences import Sentence

Part: TypeAlias = list[int]

NOBODY: Final = -1
EVERYBODY: Final = -2


class Piece(NamedTuple):
    """Some sentences, by their numbers, and one judgement of all of them."""

    sentences: Part
    judgement: Judgement


class Folds(Protocol):
    """How the labels of a corpus are shared out among fold models."""

    @property
    def count(self) -> int:
        """How many folds there are."""
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

    def rates(self, rates: NoiseRates, given: Tensor, labels: LabelSet) -> NoiseRates:
        """Return the noise rates of the labels that models are told, if ``rates`` are those of all ``given`` ones."""
        ...

    def pieces(self, judgements: Sequence[Judgement]) -> list[Piece]:
        """Return one judgement of every sentence, made of what the models of all folds say."""
        ...


@dataclass(frozen=True, slots=True)
class SentenceFolds:
    """Parts of the corpus: each is judged by a model that learns from the others."""

    parts: Sequence[Part]
    lengths: Sequence[int]

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
        """Every label of the other parts is told."""
        return torch.ones(sum(self.lengths[number] for number in self.learnt(fold)), dtype=torch.bool)

    def rates(self, rates: NoiseRates, given: Tensor, labels: LabelSet) -> NoiseRates:  # noqa: ARG002
        """Parts are drawn at random and as noisy as the whole."""
        return rates

    def pieces(self, judgements: Sequence[Judgement]) -> list[Piece]:
        """Each part keeps the judgement of its own model."""
        return [Piece(part, judgement) for part, judgement in zip(self.parts, judgements, strict=True)]


@dataclass(frozen=True, slots=True)
class NameFolds:
    """Shares of the names: all models read all sentences, each without the labels of its own share.

    ``hidden_from`` is the fold that each token's label is hidden from, ``NOBODY`` where every model is told it, and
    ``EVERYBODY`` where none is.
    """

    hidden_from: Tensor
    lengths: Sequence[int]
    count: int

    def learnt(self, fold: int) -> Part:  # noqa: ARG002 - the protocol's
        """Return all sentences."""
        return list(range(len(self.lengths)))

    def judged(self, fold: int) -> Part:  # noqa: ARG002 - the protocol's
        """Return all sentences."""
        return list(range(len(self.lengths)))

    def told(self, fold: int) -> Tensor:
        """Labels of the other shares, and of what is no name, are told."""
        return (self.hidden_from != fold) & (self.hidden_from != EVERYBODY)

    def rates(self, rates: NoiseRates, given: Tensor, labels: LabelSet) -> NoiseRates:
        """Entity labels that nobody is told are taken for wrong; the others are so much the better.

        Forgotten entities are names, and those hidden from a model are not among the ``O`` labels it is told; that it
        distrusts as large a share of the others all the same is on purpose: it then finds more of what was forgotten.
        """
        untold = self.hidden_from == EVERYBODY

        def left(rate: float, chosen: Tensor) -> float:
            hidden = int((chosen & untold).sum())
            others = int(chosen.sum()) - hidden
            return max(0.0, rate * (others + hidden) - hidden) / max(1, others)

        apart = {}
        for group, rate in rates.apart.items():
            own = [number for number, label in enumerate(labels) if number and rates.group(label) == group]
            apart[group] = left(rate, torch.isin(given, torch.tensor(own)))
        return NoiseRates(rates.negative, left(rates.positive, given > 0), apart)

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
    if recipe.rounds.hide == "names":
        hidden = _hidden_from(names_of(sentences), numbered, count, Dice(seed, f"names of drawing {drawing}"))
        common = torch.tensor([is_one for row in common_words_as_names(sentences) for is_one in row])
        return NameFolds(hidden.masked_fill(common & ~numbered.settled, EVERYBODY), numbered.lengths, count)
    return SentenceFolds(draw_parts(len(sentences), count, seed, drawing), numbered.lengths)


def draw_parts(sentences: int, folds: int, seed: int, drawing: int) -> list[Part]:
    """Return the sentence numbers of each fold, of sizes that differ by one at most; no fold is empty.

    >>> sorted(map(len, draw_parts(5, 2, seed=1, drawing=0)))
    [2, 3]
    """
    order = Dice(seed, f"folds of drawing {drawing}").shuffled(range(sentences))
    count = min(folds, sentences)
    return [sorted(order[fold::count]) for fold in range(count)]


def _hidden_from(names: Sequence[tuple[Name, ...]], numbered: Numbered, folds: int, dice: Dice) -> Tensor:
    """Share the names out among the folds; where a person has decided on a part of one, it is not hidden there."""
    known = sorted({name for row in names for name in row if name is not None})
    share = {name: number % folds for number, name in enumerate(dice.shuffled(known))}
    settled = torch.split(numbered.settled, numbered.lengths)
    hidden: list[int] = []
    for row, own in zip(names, settled, strict=True):
        for name, run in groupby(range(len(row)), row.__getitem__):
            places = list(run)
            hidden += [NOBODY if name is None or own[places].any() else share[name]] * len(places)
    return torch.tensor(hidden, dtype=torch.long)


def places(lengths: Sequence[int], sentences: Part) -> Tensor:
    """Return where the tokens of some sentences stand among all tokens of a corpus with sentences of these lengths."""
    first = [0, *accumulate(lengths)]
    return torch.cat([torch.arange(first[number], first[number + 1]) for number in sentences])


def told_labels(sentences: Sequence[Sentence], folds: Folds, fold: int) -> list[Sentence]:
    """Return the sentences that the model of ``fold`` learns from, with the labels that it is told."""
    chosen = [sentences[number] for number in folds.learnt(fold)]
    told = folds.told(fold)
    if told.all():
        return chosen
    rows = [row.tolist() for row in torch.split(told, [len(sentence) for sentence in chosen])]
    return [sentence if all(row) else _without(sentence, row) for sentence, row in zip(chosen, rows, strict=True)]


def _without(sentence: Sentence, told: Sequence[bool]) -> Sentence:
    labels = (label if is_told else None for label, is_told in zip(sentence.labels, told, strict=True))
    return changed(sentence, labels=tuple(labels))
