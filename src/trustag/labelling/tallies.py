"""Counts of what was labelled, by source and by type."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from trustag.labelling.labeller import LabelledSentence
from trustag.text.sentences import Sentence


@dataclass(slots=True)
class LabellingTally:
    """Sentences, tokens and entities, counted while they pass."""

    sentences: int = 0
    tokens: int = 0
    unknown: int = 0
    types: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)

    def counted(self, labelled: Iterable[LabelledSentence]) -> Iterator[Sentence]:
        """Yield the sentences, and count them."""
        for one in labelled:
            self.sentences += 1
            self.tokens += len(one.sentence.tokens)
            for proposal in one.proposals:
                self.sources[proposal.source] += 1
                if proposal.type is None:
                    self.unknown += 1
                else:
                    self.types[proposal.type] += 1
            yield one.sentence
