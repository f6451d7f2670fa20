"""Truncated entities: single labelled words inside what looks like a longer name, such as *Bill* in Bill Clinton.

A dictionary of first names labels *Bill* in every sentence, and misses the rest of the name.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from trustag.noise.capital_letters import (
    capitalised_runs,
    capitals_mark_entities,
    entity_capitals,
    is_capitalised,
    lower_case_words,
)
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

_HEADLINE: Final = 0.6  # above this share of capitalised words, capital letters say nothing


class TruncatedEntities:
    """Finds entities of one capitalised word next to capitalised words without an entity label.

    Headlines, where most words are capitalised, are skipped. Nothing is found if most labelled entities are not
    capitalised.
    """

    def __init__(self) -> None:
        self._lower_case: set[str] = set()
        self._capitals: Counter[bool] = Counter()

    def add(self, sentence: Sentence) -> None:
        """First pass: collect the words in lower case and count how many entities are capitalised."""
        self._lower_case.update(lower_case_words(sentence))
        self._capitals.update(entity_capitals(sentence))

    def find(self, sentence: Sentence) -> Iterator[tuple[range, int]]:
        """Second pass: yield the token indices of each longer name and the index of its labelled word."""
        if not capitals_mark_entities(self._capitals):
            return
        capitalised = [is_capitalised(sentence.tokens, index, self._lower_case) for index in range(len(sentence))]
        if sum(capitalised) > _HEADLINE * len(sentence):
            return
        run_ends = dict(capitalised_runs(sentence, self._lower_case))
        run_starts = {end: start for start, end in run_ends.items()}
        for start, end, _ in read_spans(sentence.labels):
            whole = range(run_starts.get(start, start), run_ends.get(end, end))
            if end - start == 1 and capitalised[start] and len(whole) > 1:
                yield whole, start


def truncated_entities(sentences: Sequence[Sentence]) -> list[tuple[bool, ...]]:
    """Return for each token of each sentence whether it belongs to a longer name with only one labelled word.

    >>> from trustag.text.sentences import Sentence
    >>> truncated_entities([Sentence(("when", "Bill", "Clinton", "met", "Ann"), ("O", "B-PER", "O", "O", "B-PER"))])[0]
    (False, True, True, False, False)
    """
    finder = TruncatedEntities()
    for sentence in sentences:
        finder.add(sentence)
    found = []
    for sentence in sentences:
        indices = {index for whole, _ in finder.find(sentence) for index in whole}
        found.append(tuple(index in indices for index in range(len(sentence))))
    return found
