"""Lists of names as one compiled gazetteer, and the names of a sentence that are in it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from trustag.labelling.name_lists import ListedName
from trustag.labelling.phrase_index import IndexedName, NameToIndex, PhraseArrays, PhraseIndex, compile_phrases
from trustag.labelling.settings import Ambiguous, Case
from trustag.labelling.word_pieces import hash_of_form, pieces_of

SOURCE_KIND: Final = "gazetteer"
_SAMPLE: Final = 5_000
_ONE_CASE: Final = 0.9  # from this share on, a list is all in capitals or all in small letters
_PROPER_NAMES: Final = {None, "PER", "PERSON", "LOC", "LOCATION", "ORG", "ORGANIZATION", "ORGANISATION", "GPE", "MISC"}
"""Types whose names have capital initials in texts; names of diseases, for example, have none."""
_MOST_REMEMBERED: Final = 1 << 18
_LOWER_CASE_INSIDE: Final = (
    3  # pieces up to this length may be in small letters inside a capitalised name: of, the, von
)


class Evidence(NamedTuple):
    """What one list says of a stretch of tokens: its source, the type (``None``: a name of unknown type), its votes."""

    source: str
    type: str | None
    weight: float


class Verdict(NamedTuple):
    """The type with the most votes (``None``: unknown), the first source for it, its share of them, and all votes."""

    type: str | None
    source: str
    score: float
    evidence: tuple[Evidence, ...]


class Match(NamedTuple):
    """A stretch of tokens that lists contain, and what they say of it together."""

    start: int
    end: int
    verdict: Verdict


class ListOptions(NamedTuple):
    """How the forms of a list are selected, and how they match."""

    case: Case = "auto"
    weight: float = 1.0
    minimum_length: int = 2
    stop_words: frozenset[str] = frozenset()
    cut_at: str = ""


class ListToCompile(NamedTuple):
    """A list of names with its name, its entries, and its options."""

    name: str
    forms: Sequence[ListedName]
    options: ListOptions


@dataclass(frozen=True, slots=True)
class CompiledList:
    """What is known of a list in a gazetteer: how its case counts, and how many forms it has and has left out."""

    name: str
    case: Case
    forms: int
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CompiledGazetteer:
    """The arrays of an index with the lists and types that its numbers mean."""

    arrays: PhraseArrays
    lists: tuple[CompiledList, ...]
    types: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.arrays.entry_lists)


def compile_lists(lists: Sequence[ListToCompile]) -> CompiledGazetteer:
    """Return one gazetteer of several lists."""
    cases = [_case(one) for one in lists]
    left_out: list[Counter[str]] = [Counter() for _ in lists]
    taken = [0] * len(lists)
    types: dict[str | None, int] = {}

    def forms() -> Iterator[NameToIndex]:
        for number, one in enumerate(lists):
            for form in one.forms:
                reason = _reason_to_leave_out(form.text, one.options, cases[number])
                if reason is not None:
                    left_out[number][reason] += 1
                    continue
                taken[number] += 1
                kind = types.setdefault(form.type, len(types))
                yield NameToIndex(form.text, number, kind, form.weight * one.options.weight)

    arrays = compile_phrases(forms())
    compiled = [
        CompiledList(one.name, case, count, dict(gone))
        for one, case, count, gone in zip(lists, cases, taken, left_out, strict=True)
    ]
    return CompiledGazetteer(arrays, tuple(compiled), tuple(types))


class Gazetteer:
    """Finds the names of lists in sentences; what is written alike is looked up once."""

    def __init__(self, compiled: CompiledGazetteer, ambiguous: Ambiguous = "unknown") -> None:
        self.compiled = compiled
        self._ambiguous = ambiguous
        self._index = PhraseIndex(compiled.arrays)
        self._verdicts: dict[tuple[int, str], Verdict | None] = {}

    def matches(self, tokens: Sequence[str]) -> list[Match]:
        """Return every stretch of ``tokens`` that is in a list, from left to right; stretches may overlap."""
        found = []
        verdicts = self._verdicts
        for start, end, node in self._index.walk(tokens):
            key = (node, tokens[start] if end == start + 1 else " ".join(tokens[start:end]))
            verdict = verdicts[key] if key in verdicts else self._remember(key)
            if verdict is not None:
                found.append(Match(start, end, verdict))
        return found

    def _remember(self, key: tuple[int, str]) -> Verdict | None:
        if len(self._verdicts) >= _MOST_REMEMBERED:
            self._verdicts.clear()
        verdict = self._verdicts[key] = self._decided(*key)
        return verdict

    def _decided(self, node: int, surface: str) -> Verdict | None:
        written = _Written(surface)
        votes: dict[tuple[str, str | None], float] = {}
        for entry in self._index.entries(node):
            one = self.compiled.lists[entry.list_number]
            if written.fits(entry, one.case):
                key = (f"{SOURCE_KIND}:{one.name}", self.compiled.types[entry.type_number])
                votes[key] = max(votes.get(key, 0.0), entry.weight)  # a form that a list repeats has one vote
        return voted([Evidence(source, kind, weight) for (source, kind), weight in votes.items()], self._ambiguous)


def voted(evidence: Sequence[Evidence], ambiguous: Ambiguous) -> Verdict | None:
    """Return the type with the most votes; of several, none, unknown or that of the first list, as set."""
    if not evidence:
        return None
    votes: dict[str, float] = {}
    for one in evidence:
        if one.type is not None:
            votes[one.type] = votes.get(one.type, 0.0) + one.weight
    if not votes:
        return Verdict(None, evidence[0].source, 0.0, tuple(evidence))
    most = max(votes.values())
    winners = [kind for kind, count in votes.items() if count == most]
    if len(winners) > 1 and ambiguous == "drop":
        return None
    winner = winners[0] if len(winners) == 1 or ambiguous == "first" else None
    source = next(one.source for one in evidence if one.type == winners[0])
    return Verdict(winner, source, most / sum(votes.values()), tuple(evidence))


class _Written:
    """How a name is written in a text."""

    def __init__(self, surface: str) -> None:
        pieces = [piece for token in surface.split(" ") for piece in pieces_of(token)]
        self._hash = hash_of_form(pieces)
        self._in_capitals = surface.isupper() and sum(character.isalpha() for character in surface) > 1
        words = [piece for piece in pieces if piece[0].isalpha()]
        self._capitalised = bool(words) and all(
            not word[0].islower() or (number and len(word) <= _LOWER_CASE_INSIDE) for number, word in enumerate(words)
        )

    def fits(self, entry: IndexedName, case: Case) -> bool:
        """Tell whether a name of a list with this case is meant."""
        if case in {"any", "capitalised"}:
            return case == "any" or self._capitalised
        return entry.form_hash == self._hash or (case == "written" and self._in_capitals)


def _reason_to_leave_out(form: str, options: ListOptions, case: Case) -> str | None:
    count = sum(character.isalnum() for character in form)
    if not any(character.isalpha() for character in form):
        return "forms without letters"
    if count < options.minimum_length:
        return "forms that are too short"
    if form.casefold() in options.stop_words and not (form.isupper() and case in {"written", "exact"}):
        return "forms that are stop words"
    return None


def _case(one: ListToCompile) -> Case:
    """Return how the case of a list counts, decided from its first forms where it is not said."""
    if one.options.case != "auto":
        return one.options.case
    cased = [form.text for form in islice(one.forms, _SAMPLE) if form.text.upper() != form.text.lower()]
    in_capitals, in_small = sum(map(str.isupper, cased)), sum(map(str.islower, cased))
    # A few forms in capitals may be abbreviations.
    all_one = max(in_capitals if len(cased) > 20 else 0, in_small) >= _ONE_CASE * len(cased)
    if not cased or not all_one:
        return "written"
    return "capitalised" if {form.type for form in islice(one.forms, _SAMPLE)} <= _PROPER_NAMES else "any"
