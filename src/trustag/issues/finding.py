"""Issues of a corpus: where models read other entities than its labels say, worst first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import torch
from torch import Tensor

from trustag.confidence.calibration import label_parts, part_scores
from trustag.crf.crf_outputs import LabelSequence
from trustag.issues.evidence import LabelEvidence
from trustag.issues.issue import Issue, kind_of
from trustag.issues.ranking import LIKELY, Ranking, fitted_ranking
from trustag.issues.regions import Region, differing_regions, may_be_doubted
from trustag.issues.same_words import shared_doubt
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.sentences import Sentence


def find_issues(
    sentences: Sequence[Sentence], evidence: LabelEvidence, labels: LabelSet, scheme: Scheme, ranking: Ranking
) -> list[Issue]:
    """Return the entity-level issues of ``sentences``, worst first.

    ``ranking`` says how likely labels are wrong, as :func:`evidence_ranking` finds it. Label sequences that the corpus
    could not tell apart in its own ``scheme`` are no issues.
    """
    seen = None if evidence.training_confidence is None else evidence.training_confidence.numpy()
    suggested = _suggested(sentences, evidence, ranking, labels)
    regions = list(_found_regions(sentences, evidence.given, suggested, labels, scheme))
    scores = evidence.probabilities_of(
        [sequence for found in regions for sequence in (found.sequence(evidence.given), found.sequence(suggested))]
    )
    given_scores, suggested_scores = scores[::2], scores[1::2]
    changes, out = (evidence.given != suggested).numpy(), evidence.known_wrong
    wrong = ranking.how_wrong(
        np.array(given_scores),
        None if seen is None else np.array([seen[found.tokens][changes[found.tokens]].min() for found in regions]),
        np.array([bool(found.region.given) for found in regions], dtype=np.bool_),
        None if out is None else np.array([bool(out[found.tokens].any()) for found in regions], dtype=np.bool_),
    )
    parts = part_scores(evidence.probabilities, evidence.given, label_parts(labels), count_outside=False)
    preferred = None if evidence.agreement is None else evidence.agreement(suggested)
    held = None if preferred is None else preferred.numpy()
    issues = [
        Issue(
            sentence=found.sentence,
            first=found.region.first,
            end=found.region.end,
            kind=kind_of(found.region.given, found.region.suggested),
            given=found.region.given,
            suggested=found.region.suggested,
            score=score,
            given_score=given_score,
            suggested_score=suggested_score,
            position_score=_least(parts.position, found, evidence),
            type_score=_least(parts.type, found, evidence),
            held=None if held is None else float(held[found.tokens][changes[found.tokens]].mean()),
        )
        for found, score, given_score, suggested_score in zip(
            regions, wrong.tolist(), given_scores, suggested_scores, strict=True
        )
    ]
    return sorted(issues, key=lambda issue: (-issue.score, issue.sentence, issue.first))


def evidence_ranking(
    evidence: LabelEvidence, rates: tuple[float, float], clean_rates: tuple[float, float] | None = None
) -> Ranking:
    """Return how likely labels are wrong by all that is known of them.

    ``rates`` are the shares of ``O`` labels and of entity labels that are taken to be wrong, ``clean_rates`` the same
    as clean sentences show them.
    """
    seen = None if evidence.training_confidence is None else evidence.training_confidence.numpy()
    return fitted_ranking(evidence.given.numpy(), evidence.confidence, seen, rates, clean_rates)


def _suggested(sentences: Sequence[Sentence], evidence: LabelEvidence, ranking: Ranking, labels: LabelSet) -> Tensor:
    """Return the labels on the best path that has no ``O`` which is more likely wrong than right.

    Models of labels among which entities were missed find an entity less probable than it is, and their best path has
    ``O`` at many where the noise rates say otherwise. (An entity label in doubt has too many others to be read as.)
    """
    seen = None if evidence.training_confidence is None else evidence.training_confidence.numpy()
    is_entity = (evidence.given > 0).numpy()
    wrong = ranking.how_wrong(evidence.confidence, seen, is_entity)
    words = (token for sentence in sentences for token in sentence.tokens)
    doubtful = shared_doubt(wrong, words, evidence.given.numpy()) > LIKELY
    missed = torch.from_numpy(doubtful) & (evidence.given == 0)
    if len(labels) == 1 or not missed.any():
        return evidence.best_labels(None)
    allowed = torch.ones(len(missed), len(labels), dtype=torch.bool)
    allowed[missed, 0] = False
    return evidence.best_labels(allowed)


@dataclass(frozen=True, slots=True)
class _Found:
    """A region, the number of its sentence, and where that begins among all tokens."""

    sentence: int
    start: int
    region: Region

    @property
    def tokens(self) -> slice:
        return slice(self.start + self.region.first, self.start + self.region.end)

    def sequence(self, labels: Tensor) -> LabelSequence:
        return LabelSequence(self.sentence, self.region.first, tuple(labels[self.tokens].tolist()))


def _found_regions(
    sentences: Sequence[Sentence], given: Tensor, suggested: Tensor, labels: LabelSet, scheme: Scheme
) -> Iterator[_Found]:
    names = labels.labels
    starts = [0, *accumulate(len(sentence) for sentence in sentences)]
    differs = (given != suggested).nonzero().flatten()
    ends = torch.tensor(starts[1:])
    for number in sorted(set(torch.searchsorted(ends, differs, right=True).tolist())):
        own = slice(starts[number], starts[number + 1])
        sentence = sentences[number]
        written = convert_labels([names[label] for label in suggested[own].tolist()], scheme)
        for region in differing_regions(sentence.labels, written):
            if may_be_doubted(sentence, region):
                yield _Found(number, starts[number], region)


def _least(values: Tensor, found: _Found, evidence: LabelEvidence) -> float | None:
    """Return the least of the values at entity labels; None where no entity is given."""
    of_entities = values[found.tokens][evidence.given[found.tokens] > 0]
    return min(1.0, float(of_entities.min())) if len(of_entities) else None
