"""A first pass over a corpus that collects what later passes need: its scheme, its labels, its size."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from trustag.text.labels import OUTSIDE, Label, split_label
from trustag.text.schemes import SchemeEvidence, scheme_of_pairs
from trustag.text.sentences import Sentence

_POSITION_ORDER = "BIMELSU"


@dataclass(slots=True)
class Survey:
    """Counts of sentences, tokens and adjacent label pairs; labels and gold labels are counted together."""

    sentences: int = 0
    tokens: int = 0
    pairs: Counter[tuple[Label, Label]] = field(default_factory=Counter)

    def add(self, sentences: Iterable[Sentence]) -> "Survey":
        """Count ``sentences`` and return this survey."""
        pairs = self.pairs
        for sentence in sentences:
            self.sentences += 1
            self.tokens += len(sentence.tokens)
            for labels in (sentence.labels, sentence.gold):
                if labels is not None:
                    pairs.update(zip((OUTSIDE, *labels), (*labels, OUTSIDE), strict=True))
        return self

    @property
    def scheme(self) -> SchemeEvidence:
        """The scheme that fits best, and the number of pairs that are illegal in it."""
        return scheme_of_pairs(self.pairs)

    @property
    def tags(self) -> tuple[str, ...]:
        """All labels that occur: ``O`` first, then by type and position."""
        positive = {label for pair in self.pairs for label in pair if label is not None and label != OUTSIDE}
        return (OUTSIDE, *sorted(positive, key=_type_then_position))


def _type_then_position(label: str) -> tuple[str, int]:
    position, kind = split_label(label)
    return kind, _POSITION_ORDER.index(position)
