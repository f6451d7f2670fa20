"""Names that repeat in a document: the same words, surnames of persons, initials of organisations."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

from trustag.labelling.candidates import NameCandidate
from trustag.labelling.proposals import Proposal
from trustag.labelling.word_rules import SOURCE_KIND, RepeatSettings

_FIRST_OF_INITIALS = 2


@dataclass(slots=True)
class NamesOfDocument:
    """The names that were labelled in a document, as the rules on repetition know them."""

    rules: Sequence[RepeatSettings]
    _types: list[dict[tuple[str, ...], dict[str, int]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._types = [{} for _ in self.rules]

    def add(self, tokens: Sequence[str], one: Proposal) -> None:
        """Remember a labelled name."""
        name = tuple(tokens[one.start : one.end])
        if one.type is None:
            return
        for rule, known in zip(self.rules, self._types, strict=True):
            if rule.type in {None, one.type} and len(name) >= rule.minimum and one.score >= rule.least_score:
                part = _part(name, rule)
                if part:
                    votes = known.setdefault(part, {})
                    votes[one.type] = votes.get(one.type, 0) + 1

    def proposals(
        self, tokens: Sequence[str], found: Sequence[NameCandidate], common: Container[str]
    ) -> Iterator[Proposal]:
        """Yield the types of candidates that repeat names of one type."""
        for one in found:
            words = tuple(tokens[one.start : one.end])
            for rule, known in zip(self.rules, self._types, strict=True):
                votes = known.get(words)
                doubtful = rule.only_names and any(word.lower() in common for word in words)
                if votes is not None and len(votes) == 1 and not doubtful:
                    (kind,) = votes
                    said = "is written like" if rule.part == "whole" else f"is the {rule.part} of"
                    reason = f"{said} a name of the document"
                    yield Proposal(one.start, one.end, kind, f"{SOURCE_KIND}:{rule.name}", rule.score, reason)


def _part(name: tuple[str, ...], rule: RepeatSettings) -> tuple[str, ...]:
    if rule.part == "whole":
        return name
    if rule.part == "last":
        return name[-1:] if len(name) > 1 else ()
    letters = "".join(word[0] for word in name if word[0].isupper())
    return (letters,) if len(letters) > _FIRST_OF_INITIALS - 1 else ()
