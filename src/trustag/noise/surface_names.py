"""The name that each token is part of: labelled entities by their words, and unlabelled words that look like names.

Label noise is systematic: it repeats with the name. A dictionary that lacks a name misses all its mentions, and one
that lists *The* as an album title labels every *The*. A model therefore gives an independent opinion of a label only
if all mentions of that name were hidden from it in training.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from trustag.noise.capital_letters import capitalised_runs, capitals_mark_entities, entity_capitals, lower_case_words
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

Name: TypeAlias = str | None


def names_of(sentences: Sequence[Sentence]) -> list[tuple[Name, ...]]:
    """Return for each token of each sentence the name it is part of, or ``None``.

    Every labelled entity is a name. If most labelled entities are capitalised, so is every run of capitalised words
    outside of entities; the first word of a sentence does not count if it occurs in lower case elsewhere. In scripts
    without capital letters only labelled entities are names.

    >>> from trustag.text.sentences import Sentence
    >>> sentence = Sentence(("The", "New", "York", "Times", "praised", "Ann"), ("O", "O", "O", "O", "O", "B-PER"))
    >>> names_of([sentence, Sentence(("the",), ("O",))])[0]
    (None, 'New York Times', 'New York Times', 'New York Times', None, 'Ann')
    """
    lower_case = {word for sentence in sentences for word in lower_case_words(sentence)}
    capitals = Counter(capital for sentence in sentences for capital in entity_capitals(sentence))
    use_capitals = capitals_mark_entities(capitals)
    found = []
    for sentence in sentences:
        runs = list(capitalised_runs(sentence, lower_case)) if use_capitals else []
        names: list[Name] = [None] * len(sentence)
        for start, end in (*((span.start, span.end) for span in read_spans(sentence.labels)), *runs):
            names[start:end] = [" ".join(sentence.tokens[start:end])] * (end - start)
        found.append(tuple(names))
    return found


def name_runs(names: Iterable[Sequence[Name]]) -> Iterator[tuple[str, range]]:
    """Yield each mention of a name with its token indices, which count through all sentences.

    ``names`` has a row for each sentence, as :func:`names_of` returns it. The same name twice in a row is one run.

    >>> list(name_runs([(None, "New York", "New York"), ("Ann", None)]))
    [('New York', range(1, 3)), ('Ann', range(3, 4))]
    """
    first = 0
    for row in names:
        for name, tokens in groupby(range(len(row)), row.__getitem__):
            run = list(tokens)
            if name is not None:
                yield name, range(first + run[0], first + run[-1] + 1)
        first += len(row)
