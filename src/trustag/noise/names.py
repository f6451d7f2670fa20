"""Which tokens stand for the same name: labelled entities by their words, and what looks like a name outside of them.

Noise repeats with the name: a dictionary that lacks one misses it everywhere, and one that holds *The* as the title of
an album labels it everywhere. Who wants an independent opinion of a label must ask somebody who has not been told the
labels of that name, wherever it stands.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from trustag.text.labels import OUTSIDE
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

Name: TypeAlias = str | None

_MOSTLY: Final = 0.5
_COMMON: Final = 1 / 5000  # share of all tokens, in lower case and outside of entities
_OFTEN: Final = 5
_LOWER_TO_CAPITAL: Final = 2
_HEADLINE: Final = 0.6  # share of capitalised words from which on they say nothing


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
    lower = _in_lower_case(sentences)
    capitals_tell = _capitals_tell(sentences)
    found = []
    for sentence in sentences:
        looks = list(_runs(sentence, lower)) if capitals_tell else []
        names: list[Name] = [None] * len(sentence)
        for start, end in (*((span.start, span.end) for span in read_spans(sentence.labels)), *looks):
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


class CutNames:
    """Single words labelled as an entity in the middle of what looks like a longer name: Bill *Clinton*.

    A dictionary of first names labels *Bill* wherever it stands. Around such a word are capitalised words without an
    entity label; headlines, where most words are capitalised, do not count, and where labelled entities are not mostly
    written with a capital letter nothing is taken for a name.
    """

    def __init__(self) -> None:
        self._lower: set[str] = set()
        self._capitals: Counter[bool] = Counter()

    def learn(self, sentence: Sentence) -> None:
        """First pass: which words there are in lower case, and whether entities are written with a capital letter."""
        self._lower.update(_lower_case_words(sentence))
        self._capitals.update(_capitals_of_entities(sentence))

    def of(self, sentence: Sentence) -> Iterator[tuple[range, int]]:
        """Second pass: yield the tokens of each longer name and which of them is labelled."""
        if not _mostly(self._capitals):
            return
        capitalised = [_is_capitalised(sentence.tokens, place, self._lower) for place in range(len(sentence))]
        if sum(capitalised) > _HEADLINE * len(sentence):
            return
        runs = dict(_runs(sentence, self._lower))
        before = {end: start for start, end in runs.items()}
        for start, end, _ in read_spans(sentence.labels):
            whole = range(before.get(start, start), runs.get(end, end))
            if end - start == 1 and capitalised[start] and len(whole) > 1:
                yield whole, start


def cut_names(sentences: Sequence[Sentence]) -> list[tuple[bool, ...]]:
    """Tell which tokens belong to a longer name of which but one word is labelled as an entity.

    >>> from trustag.text.sentences import Sentence
    >>> cut_names([Sentence(("when", "Bill", "Clinton", "met", "Ann"), ("O", "B-PER", "O", "O", "B-PER"))])[0]
    (False, True, True, False, False)
    """
    cut = CutNames()
    for sentence in sentences:
        cut.learn(sentence)
    found = []
    for sentence in sentences:
        places = {place for whole, _ in cut.of(sentence) for place in whole}
        found.append(tuple(place in places for place in range(len(sentence))))
    return found


def _runs(sentence: Sentence, lower: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield where runs of capitalised words without an entity label begin and end."""

    def looks_like_one(place: int) -> bool:
        label = sentence.labels[place]
        return (label is None or label == OUTSIDE) and _is_capitalised(sentence.tokens, place, lower)

    for is_name, places in groupby(range(len(sentence)), looks_like_one):
        if is_name:
            run = list(places)
            yield run[0], run[-1] + 1


def _is_capitalised(tokens: Sequence[str], place: int, lower: Collection[str]) -> bool:
    """Tell whether a word has a capital letter of its own, not that of a sentence it begins."""
    word = tokens[place]
    return word[:1].isupper() and not (place == 0 and word.lower() in lower)


def _in_lower_case(sentences: Iterable[Sentence]) -> set[str]:
    return {word for sentence in sentences for word in _lower_case_words(sentence)}


def _lower_case_words(sentence: Sentence) -> Iterator[str]:
    return (token for token in sentence.tokens if token.islower())


def _capitals_tell(sentences: Iterable[Sentence]) -> bool:
    """Tell whether labelled entities are mostly written with a capital letter."""
    return _mostly(Counter(capital for sentence in sentences for capital in _capitals_of_entities(sentence)))


def _capitals_of_entities(sentence: Sentence) -> Iterator[bool]:
    return (sentence.tokens[span.start][:1].isupper() for span in read_spans(sentence.labels))


def _mostly(answers: Counter[bool]) -> bool:
    return answers[True] > _MOSTLY * max(1, answers.total())
