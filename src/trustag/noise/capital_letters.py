"""What capital letters reveal about names: capitalised words, runs of them, and whether they mark entities at all."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Final

from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

_MAJORITY: Final = 0.5


def is_capitalised(tokens: Sequence[str], index: int, lower_case: Collection[str]) -> bool:
    """Tell whether a word is capitalised in its own right.

    The first word of a sentence does not count if it is in ``lower_case``, the words seen in lower case.
    """
    word = tokens[index]
    return word[:1].isupper() and not (index == 0 and word.lower() in lower_case)


def capitalised_runs(sentence: Sentence, lower_case: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each run of capitalised words without an entity label."""

    def belongs_to_run(index: int) -> bool:
        label = sentence.labels[index]
        return (label is None or label == OUTSIDE) and is_capitalised(sentence.tokens, index, lower_case)

    for in_run, indices in groupby(range(len(sentence)), belongs_to_run):
        if in_run:
            run = list(indices)
            yield run[0], run[-1] + 1


def lower_case_words(sentence: Sentence) -> Iterator[str]:
    """Yield the tokens that are written in lower case."""
    return (token for token in sentence.tokens if token.islower())


def entity_capitals(sentence: Sentence) -> Iterator[bool]:
    """Yield for each labelled entity whether it begins with a capital letter."""
    return (sentence.tokens[span.start][:1].isupper() for span in read_spans(sentence.labels))


def capitals_mark_entities(capitals: Counter[bool]) -> bool:
    """Tell whether most labelled entities are capitalised, from the counts of :func:`entity_capitals`."""
    return capitals[True] > _MAJORITY * max(1, capitals.total())
