"""Label the sentences of documents from the sources of a configuration."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from trustag.labelling.gazetteers import Gazetteer
from trustag.labelling.proposals import Proposal, from_matches
from trustag.labelling.settings import LabellingSettings
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE, Label
from trustag.text.sentences import NO_SOURCE, Sentence

SCORE: Final = "score"
"""The column with the score of each label."""


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence with its labels, and the proposals that they come from."""

    sentence: Sentence
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True)
class Labeller:
    """Labels documents, a few sentences at a time; it keeps nothing from one document to the next."""

    settings: LabellingSettings
    gazetteer: Gazetteer

    @property
    def tags(self) -> tuple[str, ...]:
        """All labels that may be given."""
        return LabelSet(tuple(sorted(kind for kind in self.gazetteer.compiled.types if kind)), "BI").labels

    def label(self, document: Sequence[Sentence]) -> list[LabelledSentence]:
        """Return the sentences of one document with labels and their sources; what labels they have is not used."""
        return [self._labelled(sentence) for sentence in document]

    def _labelled(self, sentence: Sentence) -> LabelledSentence:
        matches = self.gazetteer.matches(sentence.tokens)
        proposals = from_matches(matches, self.settings.cover) if matches else []
        return LabelledSentence(with_proposals(sentence, proposals), tuple(proposals))


def with_proposals(sentence: Sentence, proposals: Sequence[Proposal]) -> Sentence:
    """Return ``sentence`` labelled in IOB2 by proposals that do not overlap; labels without a type are unknown."""
    length = len(sentence.tokens)
    labels: list[Label] = [OUTSIDE] * length
    sources = [NO_SOURCE] * length
    scores = ["0"] * length
    for start, end, kind, source, score, _ in proposals:
        shown = _shown(score)
        for token in range(start, end):
            labels[token] = None if kind is None else f"{'I' if token > start else 'B'}-{kind}"
            sources[token] = source
            scores[token] = shown
    columns = {**sentence.columns, SCORE: tuple(scores)}
    return replace(sentence, labels=tuple(labels), token_sources=tuple(sources), columns=columns)


@lru_cache(maxsize=1 << 10)
def _shown(score: float) -> str:
    return f"{score:.2g}"
