"""The case study: sentences with given, believed and gold labels, and whether the doubts of a run are right."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from trustag.errors import InputError
from trustag.runs.label_columns import SentenceLabels
from trustag.runs.reading import NothingToDrawError, RunFiles
from trustag.text.labels import OUTSIDE, Label, split_label

# found: doubted and wrong; false alarm: doubted and right; missed: wrong and not doubted; doubted: nobody knows better
Verdict: TypeAlias = Literal["fine", "found", "false alarm", "missed", "doubted"]

KINDS: Final = (
    "an entity without a label",
    "wrong borders",
    "a wrong type",
    "a label where there is no entity",
    "right labels that are doubted",
    "wrong labels that are not doubted",
    "doubted O labels",
    "doubted entity labels",
)
MOST_CASES: Final = 20
_COMFORTABLE: Final = 30


@dataclass(frozen=True, slots=True)
class CaseToken:
    """A token with its given, believed and gold label, the probability of the given one, and what to think of it."""

    text: str
    given: Label
    believed: Label
    gold: Label
    score: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, its number in the training corpus (counted from 0, as in ``changes.jsonl``), and what it shows."""

    sentence: int
    shows: str
    tokens: tuple[CaseToken, ...]


@dataclass(frozen=True, slots=True)
class CaseStudy:
    """Some sentences, and how often each verdict occurs in the whole corpus."""

    run: str
    cases: tuple[Case, ...]
    verdicts: Mapping[Verdict, int]
    has_gold: bool
    lacking: tuple[str, ...]


def case_study(run: RunFiles, sentences: Sequence[int] | None = None) -> CaseStudy:
    """Return the sentences of these numbers; without numbers, one that shows each kind of case best.

    That is the one with the most labels of the kind and the fewest marks of another, not a typical one; sentences of
    up to 30 tokens come first, and the earliest of equals.
    """
    if run.labels is None:
        raise NothingToDrawError("the run has not judged its labels", where=run.path)
    judged = [_judged(sentence) for sentence in run.labels.sentences]
    if sentences is None:
        cases = _telling(judged)
    else:
        _check_numbers(run, sentences, len(judged))
        cases = [Case(number, "", judged[number]) for number in sentences]
    if not cases:
        raise NothingToDrawError("no label is doubted, and none is known to be wrong", where=run.path)
    has_gold = run.labels.has_gold
    verdicts = Counter(token.verdict for tokens in judged for token in tokens)
    return CaseStudy(
        run=run.name,
        cases=tuple(cases),
        verdicts={verdict: verdicts[verdict] for verdict in get_args(Verdict)},
        has_gold=has_gold,
        lacking=() if has_gold else ("gold labels: no gold column, so nobody knows which doubts are right",),
    )


def _check_numbers(run: RunFiles, sentences: Sequence[int], count: int) -> None:
    if len(sentences) > MOST_CASES:
        raise InputError(f"{len(sentences)} sentences do not fit a picture", remedy=f"choose {MOST_CASES} at most")
    for number in sentences:
        if not 0 <= number < count:
            raise InputError(f"there is no sentence {number}", where=run.path, remedy=f"choose from 0 to {count - 1}")


def _judged(sentence: SentenceLabels) -> tuple[CaseToken, ...]:
    gold = sentence.gold if sentence.gold is not None else (None,) * len(sentence.tokens)
    verdicts = map(_verdict, sentence.given, gold, sentence.doubted)
    columns = (sentence.tokens, sentence.given, sentence.believed, gold, sentence.score, verdicts)
    return tuple(map(CaseToken, *columns))


def _verdict(given: Label, gold: Label, doubted: bool) -> Verdict:
    if given is None or gold is None:
        return "doubted" if doubted else "fine"
    if given == gold:
        return "false alarm" if doubted else "fine"
    return "found" if doubted else "missed"


def _telling(judged: Sequence[tuple[CaseToken, ...]]) -> list[Case]:
    """Return a sentence for each kind that occurs, no sentence twice."""
    counts = {number: Counter(filter(None, map(_kind, tokens))) for number, tokens in enumerate(judged)}
    cases = []
    for kind in KINDS:
        clarity = {
            number: (len(judged[number]) <= _COMFORTABLE, 2 * own[kind] - own.total())
            for number, own in counts.items()
            if own[kind]
        }
        if clarity:
            clearest = max(clarity, key=clarity.__getitem__)
            del counts[clearest]
            cases.append(Case(clearest, kind, judged[clearest]))
    return cases


def _kind(token: CaseToken) -> str | None:
    """Return what kind of case a token is, where it is one."""
    given, gold = token.given, token.gold
    if token.verdict == "doubted":
        return "doubted O labels" if given == OUTSIDE else "doubted entity labels"
    if token.verdict == "false alarm":
        return "right labels that are doubted"
    if token.verdict == "missed":
        return "wrong labels that are not doubted"
    if token.verdict == "fine" or given is None or gold is None:
        return None
    if given == OUTSIDE:
        return "an entity without a label"
    if gold == OUTSIDE:
        return "a label where there is no entity"
    return "wrong borders" if split_label(given)[1] == split_label(gold)[1] else "a wrong type"
