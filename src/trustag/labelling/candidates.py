"""Candidates for names: runs of tokens that a tagger takes for parts of names, and the parts that may stand alone."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

from trustag.labelling.language_words import LanguageWords

_LONGEST_JOIN: Final = 2  # function words in a row inside a name: of the
_BEFORE_SENTENCES: Final = frozenset({".", "?", "!", ":", "``", '"', "\u201c", "\u2022", "*"})
_ENDS_NAME: Final = (",", ":", ";", ")", "]", '"', "\u201d")
_STARTS_NAME: Final = ("(", "[", '"', "\u201c")
_LEFT_ON_WORDS: Final = ",:;()[]\"'\u201c\u201d"


class NameCandidate(NamedTuple):
    """Tokens that may be a name.

    ``is_run`` says that the tagger takes no neighbour for a part of it, ``is_joined`` that function words are inside.
    """

    start: int
    end: int
    is_run: bool
    is_joined: bool = False


@dataclass(frozen=True, slots=True)
class CommonWords:
    """Words that are no names by themselves: those of the language, and those in small letters in the document."""

    language: Container[str]
    document: frozenset[str]

    @classmethod
    def of(cls, document: Sequence[Sequence[str]], language: Container[str]) -> "CommonWords":
        """Return the common words of the tokens of a document."""
        return cls(language, frozenset(token for tokens in document for token in tokens if token.islower()))

    @property
    def knows_language(self) -> bool:
        """Tell whether words are known that the document does not have."""
        return self.language != frozenset()

    def __contains__(self, word: object) -> bool:
        return word in self.document or word in self.language


class NameTagger(Protocol):
    """Tells which tokens may be parts of names."""

    @property
    def common_words(self) -> Container[str]:
        """Words in small letters that are words of the language, whatever else they may be."""

    def names(self, document: Sequence[Sequence[str]]) -> list[list[bool]]:
        """Return for each token of the sentences of a document whether it may be a part of a name."""


class CapitalsTagger:
    """Takes capitalised words for parts of names.

    At the start of a sentence, a word does not count that the document also writes in small letters. A sentence that is
    all in capitals says nothing.
    """

    common_words: Container[str] = frozenset()

    def __init__(self, words: LanguageWords) -> None:
        self._words = words

    def names(self, document: Sequence[Sequence[str]]) -> list[list[bool]]:
        """Return for each token whether it may be a part of a name."""
        in_small = {token for tokens in document for token in tokens if token.islower()}
        return [self._marked(tokens, in_small) for tokens in document]

    def _marked(self, tokens: Sequence[str], in_small: set[str]) -> list[bool]:
        if is_shouted(tokens):
            return [False] * len(tokens)
        starts = sentence_starts(tokens)
        return [
            could_be_name(token, self._words) and not (starts_here and token.lower() in in_small)
            for token, starts_here in zip(tokens, starts, strict=True)
        ]


def could_be_name(token: str, words: LanguageWords) -> bool:
    """Tell whether a token is capitalised and neither a stop word nor the name of a day or month."""
    if not token[:1].isupper():
        return False
    lower = token.lower()
    if lower in words.never:
        return False
    return lower not in words.stop or (token.isupper() and len(token) > 1)


def is_shouted(tokens: Sequence[str]) -> bool:
    """Tell whether a sentence is all in capitals, or has a capital initial at every word of several."""
    words = [token for token in tokens if token[0].isalpha() and len(token) > 1]
    return len(words) > 2 and sum(word.isupper() for word in words) >= 0.8 * len(words)


def sentence_starts(tokens: Sequence[str]) -> list[bool]:
    """Return for each token whether it is the first word of a sentence, also after a quotation mark or a number."""
    starts, starts_here = [], True
    for token in tokens:
        starts.append(starts_here)
        has_word = any(character.isalpha() for character in token)
        starts_here = (starts_here and not has_word) or token in _BEFORE_SENTENCES
    return starts


def candidates(tokens: Sequence[str], marked: Sequence[bool], words: LanguageWords) -> list[NameCandidate]:
    """Return the runs of marked tokens with function words inside, and their parts, from left to right.

    Parts are what function words separate, and what titles and the like set apart: *German Chancellor Helmut Kohl* has
    the parts *German* and *Helmut Kohl*. Punctuation that a tokenizer left on words separates runs.
    """
    found: dict[tuple[int, int], NameCandidate] = {}
    for start, end in _runs(tokens, marked, words):
        found[start, end] = NameCandidate(start, end, is_run=True, is_joined=not all(marked[start:end]))
        for first, last in _unmarked_borders(marked, start, end):
            found.setdefault((first, last), NameCandidate(first, last, is_run=False))
            for piece in _set_apart(tokens, first, last, words):
                found.setdefault(piece, NameCandidate(*piece, is_run=False))
    return sorted(found.values())


def _runs(tokens: Sequence[str], marked: Sequence[bool], words: LanguageWords) -> list[tuple[int, int]]:
    runs = []
    token, length = 0, len(tokens)
    while token < length:
        if not marked[token]:
            token += 1
            continue
        end = token + 1
        while end < length and not tokens[end - 1].endswith(_ENDS_NAME):
            joined = _after_inner_words(tokens, marked, words, end)
            if joined == length or not marked[joined] or tokens[joined].startswith(_STARTS_NAME):
                break
            end = joined + 1
        runs.append((token, end))
        token = end
    return runs


def _after_inner_words(tokens: Sequence[str], marked: Sequence[bool], words: LanguageWords, start: int) -> int:
    """Return the token after the function words at ``start`` that may stand inside a name."""
    end = start
    while end < min(len(tokens), start + _LONGEST_JOIN) and not marked[end] and tokens[end] in words.inner:
        end += 1
    return end


def _unmarked_borders(marked: Sequence[bool], start: int, end: int) -> list[tuple[int, int]]:
    """Return the stretches of marked tokens between ``start`` and ``end``."""
    parts = []
    first = start
    for token in range(start, end + 1):
        if token == end or not marked[token]:
            if token > first:
                parts.append((first, token))
            first = token + 1
    return parts


def _set_apart(tokens: Sequence[str], start: int, end: int, words: LanguageWords) -> list[tuple[int, int]]:
    """Return what titles and nationalities separate; a nationality is a part itself."""
    cuts = {start, end}
    for token in range(start, end):
        word = bare(tokens[token])
        if word in words.titles or word in words.peoples:
            cuts |= {token, token + 1}
    pieces = list(pairwise(sorted(cuts)))
    return [(first, last) for first, last in pieces if bare(tokens[first]) not in words.titles]


def without_punctuation(token: str) -> str:
    """Return a word without punctuation that a tokenizer left on it; a token without words stays as it is.

    >>> without_punctuation("(Pasadena,"), without_punctuation("U.S."), without_punctuation(":)")
    ('Pasadena', 'U.S.', ':)')
    """
    return token if token.isalnum() else token.strip(_LEFT_ON_WORDS) or token


def bare(token: str) -> str:
    """Return a token as rules compare it: in small letters, without a last full stop.

    >>> bare("Inc."), bare("U.S.")
    ('inc', 'u.s')
    """
    return token.lower().removesuffix(".")
