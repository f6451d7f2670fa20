"""Sentence-initial words labelled as entities although they are common words, such as *He* or *The*.

Dictionaries of titles and brands list such words. Their capital letter only marks the start of the sentence.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

_MINIMUM_SHARE: Final = 1 / 5000  # of all tokens
_MINIMUM_COUNT: Final = 5
_LOWER_TO_CAPITAL: Final = 2


class SentenceInitialWords:
    """Counts that tell whether the entity at the start of a sentence is just a common word.

    A word is common if it occurs in lower case outside of entities at least five times and at least once in 5,000
    tokens. Names that are also words, such as *May* or *Boots*, keep their capital letter inside of sentences; a
    common word is in lower case more than twice as often.
    """

    def __init__(self) -> None:
        self._outside: Counter[str] = Counter()
        self._capitalised: Counter[str] = Counter()
        self._tokens = 0

    def add(self, sentence: Sentence) -> None:
        """First pass: count the words of one sentence."""
        self._tokens += len(sentence)
        words = zip(sentence.tokens, sentence.labels, strict=True)
        self._outside.update(token for token, label in words if label == OUTSIDE and token.islower())
        self._capitalised.update(token.lower() for token in sentence.tokens[1:] if token[:1].isupper())

    def begins_with_entity(self, sentence: Sentence) -> bool:
        """Second pass: tell whether the first word of a sentence is a common word, capitalised, and an entity alone."""
        spans = read_spans(sentence.labels)
        if not spans or spans[0][:2] != (0, 1):
            return False
        word = sentence.tokens[0]
        count, capitalised = (counter[word.lower()] for counter in (self._outside, self._capitalised))
        minimum = max(_MINIMUM_COUNT, _MINIMUM_SHARE * self._tokens)
        is_common = count >= minimum and count > _LOWER_TO_CAPITAL * capitalised
        return word[:1].isupper() and is_common


def sentence_initial_entities(sentences: Sequence[Sentence]) -> list[tuple[bool, ...]]:
    """Return for each token of each sentence whether it is an entity that is only a sentence-initial common word.

    >>> from trustag.text.sentences import Sentence
    >>> he = [Sentence(("and", "he", "slept"), ("O", "O", "O"))] * 5
    >>> sentence_initial_entities([Sentence(("He", "met", "Ann"), ("B-ORG", "O", "B-PER")), *he])[0]
    (True, False, False)
    """
    words = SentenceInitialWords()
    for sentence in sentences:
        words.add(sentence)
    return [
        (words.begins_with_entity(sentence), *(False,) * (len(sentence) - 1)) if sentence.tokens else ()
        for sentence in sentences
    ]
