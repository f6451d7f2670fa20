"""Which stretches of a corpus are entities of some types, and which are phrases that may be anything."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import torch

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.methods.autoner.settings import AutoNERSettings
from trustag.noise.capital_letters import capitalised_runs, lower_case_words
from trustag.text.labels import Label
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

Words: TypeAlias = tuple[str, ...]


class StretchMatch(NamedTuple):
    """Tokens ``first`` to before ``end``; without ``types`` it is a phrase that may be anything."""

    first: int
    end: int
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Words with their types, and further phrases of which no type is known."""

    core: Mapping[Words, tuple[str, ...]]
    phrases: Set[Words]

    def types(self, words: Words) -> tuple[str, ...] | None:
        """Return the types of ``words``, also if they are in capitals; none for a phrase, None for anything else."""
        found = self.core.get(words)
        return () if found is None and words in self.phrases else found


def matches_of(corpus: EncodedCorpus, settings: AutoNERSettings) -> list[list[StretchMatch]]:
    """Return the matches of each sentence, from left to right.

    Entities that a person has decided on are matches, and no other match touches a label that a person has decided on.
    A token with an unknown label outside of all others is a phrase.
    """
    names = corpus.label_names()
    spans = [read_spans(labels) for labels in names]
    dictionary = dictionary_of(corpus, spans, settings)
    if settings.source == "labels":
        dictionary = Dictionary({}, dictionary.phrases)
    seen = torch.split(corpus.reviewed, corpus.lengths)
    found = []
    for tokens, labels, own, reviewed in zip(corpus.tokens, names, spans, seen, strict=True):
        given = [StretchMatch(span.start, span.end, (span.type,)) for span in own]
        known = {token for token, is_known in enumerate(reviewed.tolist()) if is_known}
        certain = [match for match in given if known.issuperset(range(match.first, match.end))]
        first = given if settings.source == "labels" else []
        found.append(_merged(certain, known, [*first, *best_matches(tokens, dictionary)], labels))
    return found


def dictionary_of(corpus: EncodedCorpus, spans: Sequence[Sequence[Span]], settings: AutoNERSettings) -> Dictionary:
    """Return the words that are labelled somewhere with their types, and the repeated capitalised phrases beside them.

    Single words that also occur in lower case are too common for either; words in capitals are the same words.
    """
    sentences = [Sentence(tokens, labels) for tokens, labels in zip(corpus.tokens, corpus.label_names(), strict=True)]
    lower_case = {word for sentence in sentences for word in lower_case_words(sentence)}
    counts: defaultdict[Words, Counter[str]] = defaultdict(Counter)
    phrases: Counter[Words] = Counter()
    for sentence, own in zip(sentences, spans, strict=True):
        for span in own:
            counts[sentence.tokens[span.start : span.end]][span.type] += 1
        phrases.update(sentence.tokens[start:end] for start, end in capitalised_runs(sentence, lower_case))
    core = {
        words: tuple(kind for kind in sorted(types) if types[kind] >= settings.least_share * types.total())
        for words, types in counts.items()
        if len(words) > 1 or words[0].lower() not in lower_case
    }
    upper = {tuple(word.upper() for word in words): types for words, types in core.items()}
    repeated = {words for words, count in phrases.items() if count >= settings.least_repeats}
    return Dictionary({**upper, **core}, repeated - core.keys() if settings.unknown_phrases else frozenset())


def best_matches(tokens: Words, dictionary: Dictionary) -> list[StretchMatch]:
    """Return the matches that do not overlap and whose squared lengths have the largest sum."""
    longest = max(map(len, [*dictionary.core, *dictionary.phrases]), default=0)
    best: list[tuple[int, StretchMatch | None]] = [(0, None)]
    for end in range(1, len(tokens) + 1):
        choice: tuple[int, StretchMatch | None] = (best[-1][0], None)
        for first in range(max(0, end - longest), end):
            types = dictionary.types(tokens[first:end])
            value = best[first][0] + (end - first) ** 2
            if types is not None and value > choice[0]:
                choice = (value, StretchMatch(first, end, types))
        best.append(choice)
    found: list[StretchMatch] = []
    end = len(tokens)
    while end:
        match = best[end][1]
        if match is not None:
            found.append(match)
        end = end - 1 if match is None else match.first
    return found[::-1]


def _merged(
    certain: Sequence[StretchMatch], known: Set[int], others: Sequence[StretchMatch], labels: Sequence[Label]
) -> list[StretchMatch]:
    """Return ``certain`` matches, then ``others`` that touch nothing ``known`` or covered; unknown labels last."""
    found, covered = list(certain), set(known)
    unknown = [StretchMatch(token, token + 1, ()) for token, label in enumerate(labels) if label is None]
    for match in (*others, *unknown):
        tokens = range(match.first, match.end)
        if covered.isdisjoint(tokens):
            found.append(match)
            covered.update(tokens)
    return sorted(found)
