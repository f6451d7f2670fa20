"""Sentences of a document before their names are decided, and what a knowledge base says of their candidates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from trustag.labelling.candidates import NameCandidate
from trustag.labelling.knowledge_base import SOURCE, KnowledgeBase, KnownTypes
from trustag.labelling.proposals import Proposal
from trustag.labelling.settings import Ambiguous

_NO_SPACE_BEFORE: Final = frozenset({",", ".", "'s", "'", "\u2019", "-", ")"})
_NO_SPACE_AFTER: Final = frozenset({"-", "("})


@dataclass(frozen=True, slots=True)
class SentenceDraft:
    """What is known of a sentence before the rest of its document is."""

    tokens: Sequence[str]
    marked: Sequence[bool]
    found: list[NameCandidate]
    proposals: list[Proposal]
    settled: set[tuple[int, int, str | None]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class KnowledgeSource:
    """A knowledge base as a source of proposals; names of several types are kept as unknown, dropped or decided."""

    base: KnowledgeBase
    ambiguous: Ambiguous
    types: frozenset[str]

    def add_proposals(self, drafts: Sequence[SentenceDraft]) -> None:
        """Look up all candidates of a document together, and add what is known of them."""
        known = self.base.types_of(surface(draft.tokens, one) for draft in drafts for one in draft.found)
        for draft in drafts:
            draft.proposals.extend(self._proposals(draft, known))

    def _proposals(self, draft: SentenceDraft, known: dict[str, KnownTypes]) -> Iterator[Proposal]:
        for one in draft.found:
            types = known.get(surface(draft.tokens, one))
            if types is None:
                continue
            said = ", ".join(f"{count} of type {kind}" for kind, count in sorted(types.counts.items()))
            reason = f"items with this name: {said}"
            most = max(sorted(types.counts), key=lambda kind: types.counts[kind])
            score = types.counts[most] / sum(types.counts.values())
            if types.only is not None or self.ambiguous == "first":
                yield Proposal(one.start, one.end, most, SOURCE, score, reason)
            elif self.ambiguous == "unknown":
                yield Proposal(one.start, one.end, None, SOURCE, score, reason)


def surface(tokens: Sequence[str], one: NameCandidate) -> str:
    """Return a candidate as it is written: without spaces before commas and around hyphens.

    >>> surface(["Washington", ",", "D.C."], NameCandidate(0, 3, is_run=True))
    'Washington, D.C.'
    """
    words = tokens[one.start : one.end]
    text = words[0]
    for before, word in pairwise(words):
        text += word if word in _NO_SPACE_BEFORE or before in _NO_SPACE_AFTER else f" {word}"
    return text
