"""What a run leaves for review: the corpus as it was given, and its label issues, checked against each other."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trustag.corpora.locating import CorpusOptions, stream
from trustag.corpora.survey import Survey
from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.issues.files import placed_issues
from trustag.issues.filtering import in_order
from trustag.issues.issue import Issue
from trustag.notes import unwatched
from trustag.text.labels import entity_types
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

_GIVEN: Final = "given.jsonl"
_ISSUES: Final = "issues.jsonl"
_DECISIONS: Final = "decisions.sqlite"
_REMEDY: Final = "take both files from the same run"


@dataclass(frozen=True, slots=True)
class ReviewedRun:
    """The training sentences of a run in their own scheme, its issues, worst first, and where decisions go.

    ``types`` are the entity types that occur in either; ``fingerprint`` tells whether decisions were made on the very
    same corpus.
    """

    path: Path
    sentences: tuple[Sentence, ...]
    issues: tuple[Issue, ...]
    scheme: Scheme
    types: tuple[str, ...]
    fingerprint: str

    @property
    def decisions(self) -> Path:
        """The file that keeps every decision."""
        return self.path / _DECISIONS


def open_reviewed_run(path: Path) -> ReviewedRun:
    """Return what the run in ``path`` leaves for review; files that are missing or do not fit are one clear error."""
    given, listed = path / _GIVEN, path / _ISSUES
    for file in (given, listed):
        if not file.is_file():
            raise InputError(
                f"holds no {file.name}",
                where=path,
                remedy="name a run of trustag train whose labels were doubted, and which is finished",
            )
    sentences = tuple(stream(str(given), CorpusOptions("jsonl"), unwatched))
    issues = tuple(_issues(listed, sentences))
    survey = Survey().add(sentences)
    suggested = {span.type for issue in issues for span in issue.suggested}
    return ReviewedRun(
        path=path,
        sentences=sentences,
        issues=tuple(in_order(issues, "worst")),
        scheme=survey.scheme.scheme,
        types=tuple(sorted({*entity_types(survey.tags), *suggested})),
        fingerprint=hashlib.sha256(InputFile(given).read_bytes()).hexdigest(),
    )


def _issues(path: Path, sentences: Sequence[Sentence]) -> Iterator[Issue]:
    taken: defaultdict[int, set[int]] = defaultdict(set)
    for where, issue in placed_issues(path):
        fault = _fault(issue, sentences, taken[issue.sentence])
        if fault:
            raise InputError(fault, where=where, remedy=_REMEDY)
        taken[issue.sentence].update(range(issue.first, issue.end))
        yield issue


def _fault(issue: Issue, sentences: Sequence[Sentence], taken: set[int]) -> str:
    """Return what is wrong with an issue; nothing where it fits the corpus and the issues before it."""
    if not 0 <= issue.sentence < len(sentences):
        return f"sentence {issue.sentence} of {len(sentences)} in {_GIVEN}"
    sentence = sentences[issue.sentence]
    if not 0 <= issue.first < issue.end <= len(sentence):
        return f"tokens {issue.first} to {issue.end} of a sentence with {len(sentence)}"
    if not taken.isdisjoint(range(issue.first, issue.end)):
        return f"shares tokens with another issue of sentence {issue.sentence}"
    if not is_reading(issue.suggested, issue.first, issue.end):
        return "the suggested entities overlap or lie outside the issue"
    if issue.given != spans_within(read_spans(sentence.labels), issue.first, issue.end):
        return f"the given entities are not those of {_GIVEN}"
    return ""


def spans_within(spans: Sequence[Span], first: int, end: int) -> tuple[Span, ...]:
    """Return the ``spans`` that have a token between ``first`` and ``end``."""
    return tuple(span for span in spans if span.start < end and span.end > first)


def is_reading(spans: Sequence[Span], first: int, end: int) -> bool:
    """Tell whether ``spans`` follow one another between ``first`` and ``end``, each with a type."""
    place = first
    for start, stop, kind in spans:
        if not place <= start < stop <= end or not kind:
            return False
        place = stop
    return True
