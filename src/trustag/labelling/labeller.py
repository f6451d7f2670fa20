"""Label the sentences of documents from the sources of a configuration."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from trustag.labelling.candidates import (
    CommonWords,
    NameCandidate,
    NameTagger,
    bare,
    candidates,
    is_shouted,
    without_punctuation,
)
from trustag.labelling.drafts import KnowledgeSource, SentenceDraft
from trustag.labelling.gazetteers import Gazetteer, Match
from trustag.labelling.language_words import NO_WORDS, LanguageWords
from trustag.labelling.proposals import Proposal, from_match, from_matches, without_joined
from trustag.labelling.repetition import NamesOfDocument
from trustag.labelling.resolution import ranks_of, resolved
from trustag.labelling.rule_files import NO_RULES, Rules
from trustag.labelling.settings import LabellingSettings
from trustag.labelling.word_rules import SOURCE_KIND
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE, Label
from trustag.text.sentences import NO_SOURCE, Sentence

SCORE: Final = "score"
"""The column with the score of each label."""
UNRESOLVED: Final = f"{SOURCE_KIND}:candidate"
"""The source of unknown labels of candidates that no other source knows."""
_VOTES_OF_DOUBTFUL: Final = 2


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence with its labels, the proposals that they come from, and for those that gave way, to which."""

    sentence: Sentence
    proposals: tuple[Proposal, ...]
    given_way: tuple[tuple[Proposal, Proposal], ...] = ()


@dataclass(frozen=True, slots=True)
class Labeller:
    """Labels documents; it keeps nothing from one document to the next.

    Without a tagger, lists alone decide, and what they contain is a name wherever it stands.
    """

    settings: LabellingSettings
    gazetteer: Gazetteer
    tagger: NameTagger | None = None
    rules: Rules = NO_RULES
    words: LanguageWords = NO_WORDS
    knowledge: KnowledgeSource | None = None
    _ranks: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ranks", ranks_of(self.settings.priority))

    @property
    def tags(self) -> tuple[str, ...]:
        """All labels that may be given."""
        kinds = {kind for kind in self.gazetteer.compiled.types if kind} | self.rules.types
        kinds |= self.knowledge.types if self.knowledge is not None else set()
        renamed = {self.settings.types.get(kind, kind) for kind in kinds}
        return LabelSet(tuple(sorted(filter(None, renamed))), "BI").labels

    def label(self, document: Sequence[Sentence]) -> list[LabelledSentence]:
        """Return the sentences of one document with labels and their sources; what labels they have is not used."""
        if self.tagger is None:
            return [self._by_lists(sentence) for sentence in document]
        texts = [tuple(map(without_punctuation, sentence.tokens)) for sentence in document]
        marks = self.tagger.names(texts)
        common = CommonWords.of(texts, self.tagger.common_words)
        drafts = [self._draft(*one, common) for one in zip(document, texts, marks, strict=True)]
        if self.knowledge is not None:
            self.knowledge.add_proposals(drafts)
        names = NamesOfDocument(self.rules.repeats)
        for draft in drafts:
            for one in resolved(draft.proposals, self._ranks).chosen:
                names.add(draft.tokens, one)
                draft.settled.add((one.start, one.end, one.type))
        return [self._finished(s, draft, names, common) for s, draft in zip(document, drafts, strict=True)]

    def _by_lists(self, sentence: Sentence) -> LabelledSentence:
        matches = self.gazetteer.matches(sentence.tokens)
        proposals = from_matches(matches, self.settings.cover) if matches else []
        if self.settings.types:
            proposals = list(self._renamed(proposals))
        return LabelledSentence(with_proposals(sentence, proposals), tuple(proposals))

    def _draft(
        self, sentence: Sentence, tokens: Sequence[str], marked: Sequence[bool], common: CommonWords
    ) -> SentenceDraft:
        found = candidates(sentence.tokens, marked, self.words)
        said = (rule.proposal(tokens, one, common) for one in found for rule in self.rules.rules)
        proposals = [*self._listed(tokens, found, common), *(one for one in said if one is not None)]
        return SentenceDraft(tokens, marked, found, without_joined(proposals, marked, self.rules.closed))

    def _listed(self, tokens: Sequence[str], found: Sequence[NameCandidate], common: CommonWords) -> Iterator[Proposal]:
        """Yield what lists say of stretches between borders of candidates, and of candidates that extend them.

        A common word, and a word of a sentence in capitals, must have several votes.
        """
        starts, ends = {one.start for one in found}, {one.end for one in found}
        shouted = is_shouted(tokens)
        for match in self.gazetteer.matches(tokens):
            sure = match.end - match.start > 1 or _votes(match) >= _VOTES_OF_DOUBTFUL
            if match.start in starts and match.end in ends:
                if sure or tokens[match.start].lower() not in common:
                    yield from_match(match)
            elif shouted:
                if sure:
                    yield from_match(match)
            else:
                yield from self._extended(match, found)

    def _extended(self, match: Match, found: Sequence[NameCandidate]) -> Iterator[Proposal]:
        for rule in self.rules.extends:
            if rule.type == match.verdict.type:
                for one in found:
                    inside = one.start <= match.start and match.end <= one.end
                    if inside and not one.is_joined and one.end - one.start <= rule.most:
                        reason = f"contains a listed name ({match.verdict.source})"
                        yield Proposal(one.start, one.end, rule.type, f"{SOURCE_KIND}:{rule.name}", rule.score, reason)

    def _finished(
        self, sentence: Sentence, draft: SentenceDraft, names: NamesOfDocument, common: CommonWords
    ) -> LabelledSentence:
        repeated = [
            one
            for one in names.proposals(draft.tokens, draft.found, common)
            if (one.start, one.end, one.type) not in draft.settled  # a name does not repeat itself
        ]
        outcome = resolved([*draft.proposals, *repeated], self._ranks)
        proposals = [*outcome.chosen]
        if self.settings.unresolved == "unknown":
            possible = [
                mark and bare(token) not in self.words.titles and token.lower() not in common
                for token, mark in zip(draft.tokens, draft.marked, strict=True)
            ]
            proposals += _unresolved(possible, proposals)
            proposals.sort(key=lambda one: one.start)
        if self.settings.types:
            proposals = list(self._renamed(proposals))
        return LabelledSentence(with_proposals(sentence, proposals), tuple(proposals), outcome.given_way)

    def _renamed(self, proposals: Sequence[Proposal]) -> Iterator[Proposal]:
        for one in proposals:
            kind = None if one.type is None else self.settings.types.get(one.type, one.type)
            if kind != "":
                yield one._replace(type=kind)


def _votes(match: Match) -> float:
    """Return how many votes the type of a match has."""
    return sum(one.weight for one in match.verdict.evidence if one.type == match.verdict.type)


def _unresolved(possible: Sequence[bool], chosen: Sequence[Proposal]) -> list[Proposal]:
    """Return tokens that may be names, and that no source knows, as names of unknown type."""
    covered = {token for one in chosen for token in range(one.start, one.end)}
    free = [one and token not in covered for token, one in enumerate(possible)]
    found = []
    start = 0
    for token, is_free in enumerate([*free, False]):
        if not is_free:
            if token > start:
                found.append(Proposal(start, token, None, UNRESOLVED, 0.0, "no source knows it"))
            start = token + 1
    return found


def with_proposals(sentence: Sentence, proposals: Sequence[Proposal]) -> Sentence:
    """Return ``sentence`` labelled in IOB2 by proposals that do not overlap; labels without a type are unknown."""
    length = len(sentence.tokens)
    labels: list[Label] = [OUTSIDE] * length
    sources = [NO_SOURCE] * length
    scores = ["0"] * length
    for start, end, kind, source, score, _, _ in proposals:
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
