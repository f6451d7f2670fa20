"""The part of a run that is reviewed: its training corpus as given and its label issues, checked for consistency."""

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
from trustag.issues.filtering import in_order
from trustag.issues.issue import Issue
from trustag.notes import unwatched
from trustag.runs.issue_files import placed_issues
from trustag.text.labels import entity_types
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

_GIVEN: Final = "given.jsonl"
_ISSUES: Final = "issues.jsonl"
_DECISIONS: Final = "decisions.sqlite"
_REMEDY: Final = "use both files of the same run"


@dataclass(frozen=True, slots=True)
class ReviewedRun:
    """The training sentences of a run in their original scheme, and its issues, likeliest errors first.

    ``types`` are the entity types of both; ``fingerprint`` identifies the corpus, so that decisions made on another one
    are recognised.
    """

    path: Path
    sentences: tuple[Sentence, ...]
    issues: tuple[Issue, ...]
    scheme: Scheme
    types: tuple[str, ...]
    fingerprint: str

    @property
    def decisions(self) -> Path:
        """The path of the decision log."""
        return self.path / _DECISIONS


def open_reviewed_run(path: Path) -> ReviewedRun:
    """Return the run in ``path`` for review; missing or inconsistent files raise ``InputError``."""
    given, issue_file = path / _GIVEN, path / _ISSUES
    for file in (given, issue_file):
        if not file.is_file():
            raise InputError(
                f"contains no {file.name}",
                where=path,
                remedy="give a finished run of trustag train that looked for label errors",
            )
    sentences = tuple(stream(str(given), CorpusOptions("jsonl"), unwatched))
    issues = tuple(_issues(issue_file, sentences))
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
    """Return what is wrong with an issue; empty if it is consistent with the corpus and the issues before it."""
    if not 0 <= issue.sentence < len(sentences):
        return f"sentence {issue.sentence} does not exist: {_GIVEN} has {len(sentences)}"
    sentence = sentences[issue.sentence]
    if not 0 <= issue.first < issue.end <= len(sentence):
        return f"tokens {issue.first} to {issue.end} lie outside a sentence of {len(sentence)}"
    if not taken.isdisjoint(range(issue.first, issue.end)):
        return f"shares tokens with another issue of sentence {issue.sentence}"
    if not is_reading(issue.suggested, issue.first, issue.end):
        return "the suggested entities overlap or lie outside the issue"
    if issue.given != spans_within(read_spans(sentence.labels), issue.first, issue.end):
        return f"the given entities are not those of {_GIVEN}"
    return ""


def spans_within(spans: Sequence[Span], first: int, end: int) -> tuple[Span, ...]:
    """Return the ``spans`` that overlap the tokens ``first`` to ``end`` (exclusive)."""
    return tuple(span for span in spans if span.start < end and span.end > first)


def is_reading(spans: Sequence[Span], first: int, end: int) -> bool:
    """Return whether ``spans`` are sorted, do not overlap, lie between ``first`` and ``end``, and have types."""
    reached = first
    for start, stop, kind in spans:
        if not reached <= start < stop <= end or not kind:
            return False
        reached = stop
    return True
