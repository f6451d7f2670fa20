"""Rules: words in or around a candidate that say what it is. The name of a rule is the source of its labels."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, field_validator, model_validator

from trustag.labelling.candidates import CommonWords, NameCandidate, bare
from trustag.labelling.proposals import Proposal
from trustag.recipes.sections import Count, CountOrNone, Section, as_tuple

SOURCE_KIND: Final = "rule"
Place: TypeAlias = Literal["first", "last", "inside", "whole", "before", "after"]
Repeat: TypeAlias = Literal["whole", "last", "initials"]
_SAID: Final = {
    "first": "begins with {!r}",
    "last": "ends in {!r}",
    "inside": "contains {!r}",
    "whole": "is {!r}",
    "before": "follows {!r}",
    "after": "stands before {!r}",
}


def _words(value: object) -> object:
    """Return words that are written as one text; an underscore stands for a space in a word of several tokens."""
    return tuple(value.split()) if isinstance(value, str) else value


class RuleSettings(Section):
    """One rule.

    Of ``words``, ``from_list`` and ``pattern``, one says which words count at which place (``at``) of a candidate.
    """

    name: str = Field(pattern=r"^[\w-]+$", description="the name of the source of its labels: rule:NAME")
    type: str = Field(min_length=1, description="the type that it gives")
    at: Place = Field(default="whole", description="where the words stand: in the candidate, or before or after it")
    words: Annotated[tuple[str, ...], BeforeValidator(_words)] = Field(
        default=(), description="words in any case, separated by spaces; _ joins words of several tokens"
    )
    from_list: str | None = Field(default=None, description="instead of words: the lists with this role")
    pattern: str | None = Field(
        default=None, description="instead of words: a regular expression for the whole stretch"
    )
    take: Literal["all", "rest"] = Field(
        default="all", description="label the candidate, or what is left without the words"
    )
    minimum: Count = Field(default=1, description="tokens that the labelled stretch has at least")
    most: Count = Field(default=8, description="tokens that it has at most")
    only_names: bool = Field(
        default=False, description="only if no word of it is a common word, or in small letters in the document"
    )
    knows_words: bool = Field(
        default=False, description="only if the tagger knows which words are common in the language"
    )
    not_in_small: bool = Field(default=False, description="only if no word is in small letters in the document")
    no_capitals: bool = Field(default=False, description="only if no word of it is an abbreviation in capitals")
    closed: bool = Field(default=False, description="no function word joins such a name to another")
    only_runs: bool = Field(default=False, description="only for candidates with no capitalised neighbour")
    unless: Annotated[tuple[str, ...], BeforeValidator(_words)] = Field(
        default=(), description="words of which the candidate may contain none"
    )
    unless_list: str | None = Field(default=None, description="the role of lists whose words it may not contain either")
    score: float = Field(default=0.5, gt=0, le=1, description="how much the labels of the rule are worth")

    @field_validator("pattern")
    @classmethod
    def _is_regular(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                re.compile(value)
            except re.error as error:
                raise ValueError(f"not a regular expression: {error}") from None
        return value

    @model_validator(mode="after")
    def _says_one_thing(self) -> "RuleSettings":
        if sum([bool(self.words), self.from_list is not None, self.pattern is not None]) != 1:
            raise ValueError(f"rule {self.name}: give one of words, from_list and pattern")
        return self


class RepeatSettings(Section):
    """A rule that gives a candidate the type of a name of the same document.

    It holds for the same tokens (``whole``), for the last token of a longer name, or for its initials.
    """

    name: str = Field(pattern=r"^[\w-]+$", description="the name of the source of its labels: rule:NAME")
    part: Repeat = Field(default="whole", description="which part of the name repeats")
    type: str | None = Field(default=None, description="only for names of this type; default: all")
    minimum: CountOrNone = Field(default=0, description="tokens that the longer name has at least")
    least_score: float = Field(default=0.0, ge=0, le=1, description="score that the name has at least")
    only_names: bool = Field(
        default=False, description="only if no word of it is a common word, or in small letters in the document"
    )
    score: float = Field(default=0.5, gt=0, le=1, description="how much the labels of the rule are worth")


class ExtendSettings(Section):
    """A rule that gives a whole candidate the type of a listed name in it."""

    name: str = Field(pattern=r"^[\w-]+$", description="the name of the source of its labels: rule:NAME")
    type: str = Field(min_length=1, description="the type of the listed name")
    most: Count = Field(default=4, description="tokens that the candidate has at most")
    score: float = Field(default=0.5, gt=0, le=1, description="how much the labels of the rule are worth")


class RuleFile(Section):
    """The rules of a file."""

    rule: Annotated[tuple[RuleSettings, ...], BeforeValidator(as_tuple)] = ()
    repeat: Annotated[tuple[RepeatSettings, ...], BeforeValidator(as_tuple)] = ()
    extend: Annotated[tuple[ExtendSettings, ...], BeforeValidator(as_tuple)] = ()


@dataclass(frozen=True)
class WordRule:
    """A rule with the words that it looks for, as tuples of tokens in small letters."""

    settings: RuleSettings
    words: frozenset[tuple[str, ...]]
    excluded: frozenset[str] = frozenset()

    @cached_property
    def _lengths(self) -> list[int]:
        return sorted({len(word) for word in self.words}, reverse=True)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.settings.pattern or "(?!)")

    @cached_property
    def _unless(self) -> frozenset[str]:
        return self.excluded | frozenset(map(bare, self.settings.unless))

    def proposal(self, tokens: Sequence[str], one: NameCandidate, common: CommonWords) -> Proposal | None:
        """Return what the rule says of a candidate; ``common`` are words that are no names by themselves."""
        settings = self.settings
        found = self._found(tokens, one)
        if found is None or not self._holds(tokens[one.start : one.end], one, common):
            return None
        start, end = one.start, one.end
        if settings.take == "rest":
            start, end = (found[1], end) if settings.at == "first" else (start, found[0])
        if not settings.minimum <= end - start <= settings.most:
            return None
        said = _SAID[settings.at].format(" ".join(tokens[found[0] : found[1]]))
        return Proposal(start, end, settings.type, f"{SOURCE_KIND}:{settings.name}", settings.score, said)

    def _holds(self, words: Sequence[str], one: NameCandidate, common: CommonWords) -> bool:
        settings = self.settings
        return not (
            (settings.only_runs and not one.is_run)
            or (settings.knows_words and not common.knows_language)
            or (self._unless and any(bare(word) in self._unless for word in words))
            or (settings.only_names and any(word.lower() in common for word in words))
            or (settings.not_in_small and any(word.lower() in common.document for word in words))
            or (settings.no_capitals and any(word.isupper() and len(word) > 1 and word.isalpha() for word in words))
        )

    def _found(self, tokens: Sequence[str], one: NameCandidate) -> tuple[int, int] | None:
        """Return where the words stand that the rule looks for."""
        for start, end in self._places(one):
            if 0 <= start < end <= len(tokens) and self._is_meant(tokens[start:end]):
                return start, end
        return None

    def _places(self, one: NameCandidate) -> Iterable[tuple[int, int]]:
        start, end = one.start, one.end
        at = self.settings.at
        if at == "whole":
            return [(start, end)]
        lengths = [1] if self.settings.pattern is not None else self._lengths
        if at == "before":
            return [(start - length, start) for length in lengths]
        if at == "after":
            return [(end, end + length) for length in lengths]
        inside = [length for length in lengths if length <= end - start]
        if at == "first":
            return [(start, start + length) for length in inside]
        if at == "last":
            return [(end - length, end) for length in inside]
        return [(first, first + length) for length in inside for first in range(start, end - length + 1)]

    def _is_meant(self, stretch: Sequence[str]) -> bool:
        if self.settings.pattern is not None:
            return self._pattern.fullmatch(" ".join(stretch)) is not None
        return tuple(map(bare, stretch)) in self.words


def rule_of(settings: RuleSettings, lists: Mapping[str, frozenset[tuple[str, ...]]]) -> WordRule:
    """Return the rule of ``settings``; ``lists`` are the words of lists by name."""
    excluded = frozenset(word for form in lists.get(settings.unless_list or "", ()) for word in form)
    if settings.from_list is not None:
        return WordRule(settings, lists.get(settings.from_list, frozenset()), excluded)
    return WordRule(settings, frozenset(tuple(map(bare, word.split("_"))) for word in settings.words), excluded)
