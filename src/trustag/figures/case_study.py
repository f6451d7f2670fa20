"""The case study: sentences with given, new and gold labels, and whether distrusted labels are really wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from trustag.corpora.survey import Survey
from trustag.errors import InputError
from trustag.runs.label_columns import SentenceLabels
from trustag.runs.reading import NothingToDrawError, RunFiles
from trustag.text.labels import OUTSIDE, Label, split_label
from trustag.text.schemes import Scheme, convert_labels

# found: distrusted and wrong; false alarm: distrusted but correct; missed: wrong but trusted; doubted: no gold label
Verdict: TypeAlias = Literal["fine", "found", "false alarm", "missed", "doubted"]

KINDS: Final = (
    "an entity without a label",
    "wrong boundaries",
    "a wrong type",
    "a label on words that are no entity",
    "correct labels that are distrusted",
    "wrong labels that are trusted",
    "distrusted O labels",
    "distrusted entity labels",
)
MOST_CASES: Final = 20
_SHORT_SENTENCE: Final = 30


@dataclass(frozen=True, slots=True)
class CaseToken:
    """A token with its given label, new label and gold label, the given one's probability, a verdict."""

    text: str
    given: Label
    new_label: Label
    gold: Label
    score: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, its index in the training corpus (as in ``changes.jsonl``), and the kind of case it shows."""

    sentence: int
    shows: str
    tokens: tuple[CaseToken, ...]


@dataclass(frozen=True, slots=True)
class CaseStudy:
    """Selected sentences, and the count of each verdict over the whole corpus."""

    run: str
    cases: tuple[Case, ...]
    verdicts: Mapping[Verdict, int]
    has_gold: bool
    lacking: tuple[str, ...]


def case_study(run: RunFiles, sentences: Sequence[int] | None = None) -> CaseStudy:
    """Return the ``sentences`` with these indices; without indices, the clearest sentence for each kind of case.

    The clearest one has the most labels of the kind and the fewest of other kinds; it is not a typical one. Sentences
    of up to 30 tokens are preferred, then the earliest.
    """
    if run.labels is None:
        raise NothingToDrawError("the run did not assess its labels", where=run.path)
    scheme = Survey().add(run.labels.relabelled).scheme.scheme
    tokens = [_case_tokens(sentence, scheme) for sentence in run.labels.sentences]
    if sentences is None:
        cases = _clearest_cases(tokens)
    else:
        _check_indices(run, sentences, len(tokens))
        cases = [Case(index, "", tokens[index]) for index in sentences]
    if not cases:
        raise NothingToDrawError("no label is distrusted, and none is known to be wrong", where=run.path)
    has_gold = run.labels.has_gold
    verdicts = Counter(token.verdict for sentence in tokens for token in sentence)
    return CaseStudy(
        run=run.name,
        cases=tuple(cases),
        verdicts={verdict: verdicts[verdict] for verdict in get_args(Verdict)},
        has_gold=has_gold,
        lacking=() if has_gold else ("gold labels: no gold column to compare with",),
    )


def _check_indices(run: RunFiles, sentences: Sequence[int], count: int) -> None:
    if len(sentences) > MOST_CASES:
        raise InputError(f"{len(sentences)} sentences are too many for a figure", remedy=f"choose at most {MOST_CASES}")
    for index in sentences:
        if not 0 <= index < count:
            raise InputError(f"there is no sentence {index}", where=run.path, remedy=f"choose from 0 to {count - 1}")


def _case_tokens(sentence: SentenceLabels, scheme: Scheme) -> tuple[CaseToken, ...]:
    """Return the tokens with verdicts on the labels of the models, and all labels in the ``scheme`` of the corpus."""
    gold = sentence.gold if sentence.gold is not None else (None,) * len(sentence.tokens)
    verdicts = map(_verdict, sentence.given, gold, sentence.distrusted)
    given, new, true = (convert_labels(labels, scheme) for labels in (sentence.given, sentence.relabelled, gold))
    return tuple(map(CaseToken, sentence.tokens, given, new, true, sentence.score, verdicts))


def _verdict(given: Label, gold: Label, doubted: bool) -> Verdict:
    if given is None or gold is None:
        return "doubted" if doubted else "fine"
    if given == gold:
        return "false alarm" if doubted else "fine"
    return "found" if doubted else "missed"


def _clearest_cases(sentences: Sequence[tuple[CaseToken, ...]]) -> list[Case]:
    """Return a different sentence for each kind that occurs."""
    counts = {number: Counter(filter(None, map(_kind, tokens))) for number, tokens in enumerate(sentences)}
    cases = []
    for kind in KINDS:
        clarity = {
            number: (len(sentences[number]) <= _SHORT_SENTENCE, 2 * own[kind] - own.total())
            for number, own in counts.items()
            if own[kind]
        }
        if clarity:
            clearest = max(clarity, key=clarity.__getitem__)
            del counts[clearest]
            cases.append(Case(clearest, kind, sentences[clearest]))
    return cases


def _kind(token: CaseToken) -> str | None:
    """Return the kind of case of a token; None where it is none."""
    given, gold = token.given, token.gold
    if token.verdict == "doubted":
        return "distrusted O labels" if given == OUTSIDE else "distrusted entity labels"
    if token.verdict == "false alarm":
        return "correct labels that are distrusted"
    if token.verdict == "missed":
        return "wrong labels that are trusted"
    if token.verdict == "fine" or given is None or gold is None:
        return None
    if given == OUTSIDE:
        return "an entity without a label"
    if gold == OUTSIDE:
        return "a label on words that are no entity"
    return "wrong boundaries" if split_label(given)[1] == split_label(gold)[1] else "a wrong type"
