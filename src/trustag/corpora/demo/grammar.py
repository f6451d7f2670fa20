"""The template language, and the author that turns a template into a labelled sentence."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from trustag.corpora.demo.slots import NUMBERS, Names
from trustag.seeded_random import SeededRandom
from trustag.text.labels import OUTSIDE, join_label

Casing: TypeAlias = Literal["sentence", "lower", "upper"]

_SLOT: Final = re.compile(r"\{(\w+)\}")
_CONSONANT_SOUND: Final = re.compile(r"eu|uni|us|uk|uru|one\b", re.IGNORECASE)


class Word(NamedTuple):
    """A literal token, or a token that contains number slots, such as ``{digit}-{digit}``."""

    text: str


class Slot(NamedTuple):
    """A slot for a name, a number or a phrase."""

    name: str


class FixedEntity(NamedTuple):
    """A one-word entity that is fixed in the template."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Alternatives:
    """A slot for one of several sequences of parts."""

    options: tuple["Template", ...]


Template: TypeAlias = tuple[Word | Slot | FixedEntity | Alternatives, ...]


def parse_template(text: str) -> Template:
    """Return the parts of a template.

    >>> parse_template("{first} waved [ twice | ] .")[:2]
    (Slot(name='first'), Word(text='waved'))
    """
    return _parse_options(iter([*text.split(), "]"]))[0]


def _parse_options(words: Iterator[str]) -> tuple[Template, ...]:
    options: list[list[Word | Slot | FixedEntity | Alternatives]] = [[]]
    for word in words:
        if word == "]":
            break
        if word == "|":
            options.append([])
        elif word == "[":
            options[-1].append(Alternatives(_parse_options(words)))
        elif _SLOT.fullmatch(word):
            options[-1].append(Slot(word[1:-1]))
        elif word.startswith("{") and ":" in word and word[1:].split(":")[0].isupper():
            options[-1].append(FixedEntity(*word[1:-1].split(":")))
        else:
            options[-1].append(Word(word))
    return tuple(map(tuple, options))


class Draft(NamedTuple):
    """A sentence as tokens and IOB2 labels."""

    tokens: tuple[str, ...]
    labels: tuple[str, ...]


class Author:
    """Writes sentences from templates; a share ``new_names`` of the names is held out from training.

    Names at the start of their list are drawn more often than names at its end.
    """

    def __init__(
        self, names: Mapping[str, Names], phrases: Mapping[str, Sequence[Template]], new_names: float, rng: SeededRandom
    ) -> None:
        self._names = names
        self._phrases = phrases
        self._new_names = new_names
        self._rng = rng
        self._used: set[str] = set()

    def write(self, template: Template, casing: Casing) -> Draft:
        """Return one sentence, in which no name occurs twice."""
        self._used.clear()
        tokens, labels = zip(*self._expanded(template), strict=True)
        return Draft(tuple(_cased(_with_articles(tokens), casing)), labels)

    def _expanded(self, template: Template) -> Iterator[tuple[str, str]]:
        for part in template:
            match part:
                case Word(text):
                    yield _SLOT.sub(lambda found: self._text_of(found[1]), text), OUTSIDE
                case FixedEntity(kind, text):
                    self._used.add(text)
                    yield text, join_label("B", kind)
                case Alternatives(options):
                    yield from self._expanded(self._rng.pick(options))
                case Slot(name) if name in self._names:
                    yield from self._name(self._names[name])
                case Slot(name) if name in NUMBERS:
                    yield self._text_of(name), OUTSIDE
                case Slot(name):
                    yield from self._expanded(self._rng.pick(self._phrases[name]))

    def _text_of(self, slot: str) -> str:
        if slot in NUMBERS:
            return str(self._rng.pick(NUMBERS[slot]))
        return "".join(token for token, _ in self._expanded(self._rng.pick(self._phrases[slot])))

    def _name(self, names: Names) -> Iterator[tuple[str, str]]:
        name = self._draw(names)
        while name in self._used:
            name = self._draw(names)
        self._used.add(name)
        first, *rest = name.split()
        yield first, join_label("B", names.type)
        for token in rest:
            yield token, join_label("I", names.type)

    def _draw(self, names: Names) -> str:
        source = names.held_out if self._rng.fraction() < self._new_names else names.common
        return source[int(len(source) * self._rng.fraction() ** 2)]


def _with_articles(tokens: Sequence[str]) -> Iterator[str]:
    """Yield ``tokens`` with *a* or *an*, depending on the next word."""
    for token, after in zip(tokens, [*tokens[1:], ""], strict=True):
        if token.lower() in {"a", "an"}:
            vowel = after[:1].lower() in set("aeiou") and not _CONSONANT_SOUND.match(after)
            yield token[0] + "n" * vowel
        else:
            yield token


def _cased(tokens: Iterable[str], casing: Casing) -> list[str]:
    if casing == "lower":
        return [token.lower() for token in tokens]
    if casing == "upper":
        return [token.upper() for token in tokens]
    cased = list(tokens)
    first = int(cased[0] == '"')
    if cased[first].islower():
        cased[first] = cased[first][0].upper() + cased[first][1:]
    return cased
