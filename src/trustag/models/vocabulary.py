"""Words and characters as numbers: which ones have a row of their own, and which row stands for any spelling."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from trustag.text.scripts import is_unspaced
from trustag.vectors.word_vectors import Lookup

UNKNOWN: Final = 0
LONGEST_END: Final = 30
_REMEMBERED: Final = 200_000


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The rows of a word table and of a character table; row 0 of each stands for everything else.

    ``learned`` words have rows that only training fills; ``pretrained`` words come after them, with given vectors.
    """

    learned: tuple[str, ...]
    pretrained: tuple[str, ...]
    characters: tuple[str, ...]
    lookup: Lookup
    _words: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _characters: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _found: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        rows = {word: row for row, word in enumerate(chain(self.learned, self.pretrained), start=1)}
        object.__setattr__(self, "_words", rows)
        characters = {character: row for row, character in enumerate(self.characters, start=1)}
        object.__setattr__(self, "_characters", characters)

    def word(self, spelled: str) -> int:
        """Return the row for a word, by the closest spelling that has one."""
        row = self._found.get(spelled)
        if row is None:
            rows = self._words
            row = next((rows[form] for _, form in self.lookup.forms(spelled) if form in rows), UNKNOWN)
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            self._found[spelled] = row
        return row

    @property
    def has_unspaced_words(self) -> bool:
        """Whether words of several characters are most of those in scripts without spaces between words."""
        unspaced = [word for word in self.learned if all(map(is_unspaced, word))]
        return 2 * sum(len(word) > 1 for word in unspaced) > len(unspaced)

    def characters_of(self, spelled: str) -> list[int]:
        """Return the rows for the characters of a word, at least one; of a very long word, both of its ends."""
        spelled = self.lookup.read(spelled)
        if len(spelled) > 2 * LONGEST_END:
            spelled = spelled[:LONGEST_END] + spelled[-LONGEST_END:]
        rows = self._characters
        return [rows.get(character, UNKNOWN) for character in spelled] or [UNKNOWN]


def learn_vocabulary(
    sentences: Iterable[Iterable[str]], pretrained: Iterable[str], lookup: Lookup, min_count: int
) -> Vocabulary:
    """Return the vocabulary of a training corpus: words without a vector get a row when seen ``min_count`` times."""
    counts = Counter(chain.from_iterable(sentences))
    given = dict.fromkeys(pretrained)
    folded: Counter[str] = Counter()
    for word, count in counts.items():
        forms = [form for _, form in lookup.forms(word)]
        if not any(form in given for form in forms):
            folded[forms[-1]] += count
    return Vocabulary(
        learned=tuple(sorted(word for word, count in folded.items() if count >= min_count)),
        pretrained=tuple(given),
        characters=tuple(sorted(set(chain.from_iterable(map(lookup.read, counts))))),
        lookup=lookup,
    )


def rows_seen_once(vocabulary: Vocabulary, sentences: Iterable[Iterable[str]]) -> list[bool]:
    """Return for each row whether exactly one token of ``sentences`` has it; that for unknown words never counts."""
    counts = Counter(map(vocabulary.word, chain.from_iterable(sentences)))
    words = len(vocabulary.learned) + len(vocabulary.pretrained)
    return [False, *(counts[row] == 1 for row in range(1, words + 1))]
