"""Issues of a corpus: where models read other entities than its labels say, worst first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import torch
from torch import Tensor

from trustag.confidence.calibration import label_parts, part_scores
from trustag.confidence.issues.issue import Issue, kind_of
from trustag.confidence.issues.ranking import fitted_ranking
from trustag.confidence.issues.regions import Region, differing_regions, may_be_doubted
from trustag.confidence.judgement import Reading
from trustag.confidence.probabilities import confidence
from trustag.text.labels import LabelSet
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Witness:
    """What models say of the labels of a corpus, for all its tokens in a row, labels as numbers.

    ``given`` are the labels of the corpus, ``suggested`` those on the best path of models that judge them,
    ``probabilities`` their label marginals, and ``probabilities_of`` tells how probable a reading is to them. Where
    models that learnt from the labels kept a record, ``learnt`` is how far they believed each given label, and ``held``
    the share of epochs in which they preferred the suggested one.
    """

    given: Tensor
    suggested: Tensor
    probabilities: Tensor
    probabilities_of: Callable[[Sequence[Reading]], list[float]]
    learnt: Tensor | None = None
    held: Tensor | None = None


def find_issues(
    sentences: Sequence[Sentence], witness: Witness, labels: LabelSet, scheme: Scheme, rates: tuple[float, float]
) -> list[Issue]:
    """Return the entity-level issues of ``sentences``, worst first.

    ``rates`` are the shares of ``O`` labels and of entity labels that are taken to be wrong. Readings that the corpus
    could not tell apart in its own ``scheme`` are no issues.
    """
    found = list(_regions(sentences, witness, labels, scheme))
    scores = witness.probabilities_of(
        [reading for place in found for reading in (place.reading(witness.given), place.reading(witness.suggested))]
    )
    given_scores, suggested_scores = scores[::2], scores[1::2]
    learnt = None if witness.learnt is None else [_differing(witness.learnt, place, witness).min() for place in found]
    ranking = fitted_ranking(
        witness.given.numpy(),
        confidence(witness.probabilities, witness.given).numpy(),
        None if witness.learnt is None else witness.learnt.numpy(),
        rates,
    )
    wrong = ranking.how_wrong(
        np.array(given_scores),
        None if learnt is None else np.array([float(value) for value in learnt]),
        np.array([bool(place.region.given) for place in found], dtype=np.bool_),
    )
    parts = part_scores(witness.probabilities, witness.given, label_parts(labels), count_outside=False)
    issues = [
        Issue(
            sentence=place.sentence,
            first=place.region.first,
            end=place.region.end,
            kind=kind_of(place.region.given, place.region.suggested),
            given=place.region.given,
            suggested=place.region.suggested,
            score=score,
            given_score=given_score,
            suggested_score=suggested_score,
            position_score=_least(parts.position, place, witness),
            type_score=_least(parts.type, place, witness),
            held=None if witness.held is None else float(_differing(witness.held, place, witness).mean()),
        )
        for place, score, given_score, suggested_score in zip(
            found, wrong.tolist(), given_scores, suggested_scores, strict=True
        )
    ]
    return sorted(issues, key=lambda issue: (-issue.score, issue.sentence, issue.first))


@dataclass(frozen=True, slots=True)
class _Place:
    """A region, the number of its sentence, and where that begins among all tokens."""

    sentence: int
    start: int
    region: Region

    @property
    def tokens(self) -> slice:
        return slice(self.start + self.region.first, self.start + self.region.end)

    def reading(self, labels: Tensor) -> Reading:
        return Reading(self.sentence, self.region.first, tuple(labels[self.tokens].tolist()))


def _regions(sentences: Sequence[Sentence], witness: Witness, labels: LabelSet, scheme: Scheme) -> Iterator[_Place]:
    names = labels.labels
    starts = [0, *accumulate(len(sentence) for sentence in sentences)]
    differs = (witness.given != witness.suggested).nonzero().flatten()
    ends = torch.tensor(starts[1:])
    for number in sorted(set(torch.searchsorted(ends, differs, right=True).tolist())):
        own = slice(starts[number], starts[number + 1])
        sentence = sentences[number]
        suggested = convert_labels([names[label] for label in witness.suggested[own].tolist()], scheme)
        for region in differing_regions(sentence.labels, suggested):
            if may_be_doubted(sentence, region):
                yield _Place(number, starts[number], region)


def _differing(values: Tensor, place: _Place, witness: Witness) -> Tensor:
    """Return some values at the tokens of a region whose label would change."""
    own = place.tokens
    return values[own][witness.given[own] != witness.suggested[own]]


def _least(values: Tensor, place: _Place, witness: Witness) -> float | None:
    """Return the least of the values at entity labels; where none is given there is no part to believe."""
    of_entities = values[place.tokens][witness.given[place.tokens] > 0]
    return min(1.0, float(of_entities.min())) if len(of_entities) else None
