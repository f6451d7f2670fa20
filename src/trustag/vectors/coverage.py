"""How many words of a text have a vector: types and tokens, by the way they are found."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, get_args

from trustag.vectors.word_vectors import DEFAULT_LOOKUP, Lookup, Manner, WordVectors

MANNERS: Final[tuple[Manner, ...]] = get_args(Manner)
_SHOWN_MISSING: Final = 10


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of distinct words (types) and running words (tokens), in total and by the way they are found."""

    types: int
    tokens: int
    types_by_manner: Mapping[Manner, int] = field(hash=False)
    tokens_by_manner: Mapping[Manner, int] = field(hash=False)
    missing: tuple[tuple[str, int], ...]

    @property
    def type_share(self) -> float:
        """The share of distinct words that have a vector; 0.0 if there are no words."""
        return sum(self.types_by_manner.values()) / self.types if self.types else 0.0

    @property
    def token_share(self) -> float:
        """The share of running words that have a vector; 0.0 if there are no words."""
        return sum(self.tokens_by_manner.values()) / self.tokens if self.tokens else 0.0


def coverage(vectors: WordVectors, counts: Mapping[str, int], lookup: Lookup = DEFAULT_LOOKUP) -> Coverage:
    """Return how much of a text ``vectors`` cover, given the count of each word in it.

    ``missing`` lists the most frequent words without a vector.
    """
    types: Counter[Manner] = Counter(dict.fromkeys(MANNERS, 0))
    tokens: Counter[Manner] = Counter(dict.fromkeys(MANNERS, 0))
    missing: list[tuple[str, int]] = []
    for word, count in counts.items():
        found = vectors.find_manner(word, lookup)
        if found is None:
            missing.append((word, count))
        else:
            types[found[0]] += 1
            tokens[found[0]] += count
    missing.sort(key=lambda entry: (-entry[1], entry[0]))
    return Coverage(len(counts), sum(counts.values()), dict(types), dict(tokens), tuple(missing[:_SHOWN_MISSING]))
