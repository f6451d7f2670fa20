"""Which tokens stand for the same name: labelled entities by their words, and what looks like a name outside of them.

Noise repeats with the name: a dictionary that lacks one misses it everywhere, and one that holds *The* as the title of
an album labels it everywhere. Who wants an independent opinion of a label must ask somebody who has not been told the
labels of that name, wherever it stands.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from trustag.text.labels import OUTSIDE, Label
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

Name: TypeAlias = str | None

_MOSTLY: Final = 0.5
_COMMON: Final = 1 / 5000  # share of all tokens, in lower case and outside of entities
_OFTEN: Final = 5
_LOWER_TO_CAPITAL: Final = 2


def names_of(sentences: Sequence[Sentence]) -> list[tuple[Name, ...]]:
    """Return for each token the name it is part of, ``None`` where it is part of none.

    A labelled entity is a name. Where names are written with a capital letter, as most labelled ones show, a run of
    capitalised words outside of entities is one too, but not the first word of a sentence that elsewhere stands in
    lower case. In scripts without capital letters only labelled entities are names.

    >>> from trustag.text.sentences import Sentence
    >>> sentence = Sentence(("The", "New", "York", "Times", "praised", "Ann"), ("O", "O", "O", "O", "O", "B-PER"))
    >>> names_of([sentence, Sentence(("the",), ("O",))])[0]
    (None, 'New York Times', 'New York Times', 'New York Times', None, 'Ann')
    """
    spans = [[(span.start, span.end) for span in read_spans(sentence.labels)] for sentence in sentences]
    first_words = [sentence.tokens[start] for sentence, own in zip(sentences, spans, strict=True) for start, _ in own]
    lower = {token for sentence in sentences for token in sentence.tokens if token.islower()}
    capitals_tell = _capitalised_share(first_words) > _MOSTLY
    found = []
    for sentence, own in zip(sentences, spans, strict=True):
        looks = list(_runs(sentence.tokens, sentence.labels, lower)) if capitals_tell else []
        names: list[Name] = [None] * len(sentence)
        for start, end in (*own, *looks):
            names[start:end] = [" ".join(sentence.tokens[start:end])] * (end - start)
        found.append(tuple(names))
    return found


def name_runs(names: Iterable[Sequence[Name]]) -> Iterator[tuple[str, range]]:
    """Yield every name that :func:`names_of` found with the tokens it stands at, counted through all sentences.

    The same name twice in a row is one run.

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


class CommonWords:
    """Words that stand outside of entities in lower case, often and at least once in 5,000 tokens.

    Names that are words too, such as *May* or *Boots*, have their capital letter inside of sentences as well; a common
    word is in lower case more than twice as often.
    """

    def __init__(self) -> None:
        self._outside: Counter[str] = Counter()
        self._capitalised: Counter[str] = Counter()
        self._tokens = 0

    def add(self, sentence: Sentence) -> None:
        """Count the words of one sentence."""
        self._tokens += len(sentence)
        words = zip(sentence.tokens, sentence.labels, strict=True)
        self._outside.update(token for token, label in words if label == OUTSIDE and token.islower())
        self._capitalised.update(token.lower() for token in sentence.tokens[1:] if token[:1].isupper())

    def begin_as_name(self, sentence: Sentence) -> bool:
        """Tell whether a sentence begins with such a word, with a capital letter and labelled as an entity by itself.

        Dictionaries of titles and brands know *He*, *The* and *One*; the capital letter is that of the sentence.
        """
        spans = read_spans(sentence.labels)
        if not spans or spans[0][:2] != (0, 1):
            return False
        word = sentence.tokens[0]
        count, capitalised = (counter[word.lower()] for counter in (self._outside, self._capitalised))
        is_common = count >= max(_OFTEN, _COMMON * self._tokens) and count > _LOWER_TO_CAPITAL * capitalised
        return word[:1].isupper() and is_common


def common_words_as_names(sentences: Sequence[Sentence]) -> list[tuple[bool, ...]]:
    """Tell which tokens are labelled as an entity although they are but a common word that begins its sentence.

    >>> from trustag.text.sentences import Sentence
    >>> he = [Sentence(("and", "he", "slept"), ("O", "O", "O"))] * 5
    >>> common_words_as_names([Sentence(("He", "met", "Ann"), ("B-ORG", "O", "B-PER")), *he])[0]
    (True, False, False)
    """
    common = CommonWords()
    for sentence in sentences:
        common.add(sentence)
    return [
        (common.begin_as_name(sentence), *(False,) * (len(sentence) - 1)) if sentence.tokens else ()
        for sentence in sentences
    ]


def _runs(tokens: Sequence[str], labels: Sequence[Label], lower: set[str]) -> Iterator[tuple[int, int]]:
    """Yield where runs of capitalised words without an entity label begin and end."""

    def looks_like_one(place: int) -> bool:
        word, label = tokens[place], labels[place]
        is_outside = label is None or label == OUTSIDE
        return is_outside and word[:1].isupper() and not (place == 0 and word.lower() in lower)

    for is_name, places in groupby(range(len(tokens)), looks_like_one):
        if is_name:
            run = list(places)
            yield run[0], run[-1] + 1


def _capitalised_share(words: Iterable[str]) -> float:
    capitals = [word[:1].isupper() for word in words]
    return sum(capitals) / max(1, len(capitals))
