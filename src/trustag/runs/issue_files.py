"""Issues as a run keeps them: one JSON line each, worst first, beside the corpus whose sentences they number."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.json_records import read_json_lines, write_json_line
from trustag.files.outputs import new_file
from trustag.issues.issue import Issue, from_record, to_record
from trustag.issues.listing import Issues
from trustag.notes import unwatched
from trustag.runs.folder import RunFolder, require_run
from trustag.runs.places import with_places
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import Span, read_spans

_REMEDY: Final = "take the file the run wrote"


def write_issues(path: Path, issues: Iterable[Issue]) -> None:
    """Write issues in place of whatever is at ``path``."""
    with new_file(path, overwrite=True) as stream:
        for issue in issues:
            write_json_line(stream, to_record(issue))


def _located_issues(path: Path) -> Iterator[tuple[Source, Issue]]:
    """Yield the issues in a file of a run, each with its line; a fault is named by its line."""
    if path.is_file() and not path.stat().st_size:
        return
    for line, record in read_json_lines(InputFile(path), dict[str, Any]):
        where = Source(str(path), line)
        try:
            issue = from_record(record)
        except (msgspec.ValidationError, KeyError, TypeError) as error:
            raise InputError(f"is no issue: {error}", where=where, remedy=_REMEDY) from None
        yield where, issue


def read_given(run: RunFolder) -> tuple[Sentence, ...]:
    """Return the training corpus as a run was given it; every sentence names the file and line it comes from."""
    return with_places(run.places, tuple(stream(str(run.given), CorpusOptions("jsonl"), unwatched)))


def read_issues(run: RunFolder, sentences: Sequence[Sentence] | None) -> tuple[Issue, ...]:
    """Return the issues of a run, each of which must be consistent with its corpus and with the issues before it.

    Without the ``sentences`` of the run, which very old ones did not keep, nothing can be compared.
    """
    if sentences is None:
        return tuple(issue for _, issue in _located_issues(run.issues))
    taken: defaultdict[int, set[int]] = defaultdict(set)
    found = []
    for where, issue in _located_issues(run.issues):
        fault = _fault(issue, sentences, taken[issue.sentence], run)
        if fault:
            raise InputError(fault, where=where, remedy=f"use {run.issues.name} and {run.given.name} of the same run")
        taken[issue.sentence].update(range(issue.first, issue.end))
        found.append(issue)
    return tuple(found)


def issues_of_run(run: str | Path) -> Issues:
    """Return the corpus that a run was given and the issues it found; both files must fit each other."""
    folder = require_run(Path(run))
    for needed in (folder.given, folder.issues):
        if not needed.is_file():
            raise InputError(
                f"contains no {needed.name}: the run is unfinished, or its method did not look for label errors",
                where=folder.path,
                remedy="give a finished run that did, or a model and a corpus: trustag issues MODEL CORPUS",
            )
    sentences = read_given(folder)
    return Issues(sentences, read_issues(folder, sentences))


def _fault(issue: Issue, sentences: Sequence[Sentence], taken: set[int], run: RunFolder) -> str:
    """Return what is wrong with an issue; empty if it is consistent with the corpus and the issues before it."""
    if not 0 <= issue.sentence < len(sentences):
        return f"sentence {issue.sentence} does not exist: {run.given.name} has {len(sentences)}"
    sentence = sentences[issue.sentence]
    if not 0 <= issue.first < issue.end <= len(sentence):
        return f"tokens {issue.first} to {issue.end} lie outside a sentence of {len(sentence)}"
    if not taken.isdisjoint(range(issue.first, issue.end)):
        return f"shares tokens with another issue of sentence {issue.sentence}"
    if not are_entities_within(issue.suggested, issue.first, issue.end):
        return "the suggested entities overlap or lie outside the issue"
    if issue.given != spans_within(read_spans(sentence.labels), issue.first, issue.end):
        return f"the given entities are not those of {run.given.name}"
    return ""


def spans_within(spans: Sequence[Span], first: int, end: int) -> tuple[Span, ...]:
    """Return the ``spans`` that overlap the tokens ``first`` to ``end`` (exclusive)."""
    return tuple(span for span in spans if span.start < end and span.end > first)


def are_entities_within(spans: Sequence[Span], first: int, end: int) -> bool:
    """Return whether ``spans`` are sorted, do not overlap, lie between ``first`` and ``end``, and have types."""
    reached = first
    for start, stop, kind in spans:
        if not reached <= start < stop <= end or not kind:
            return False
        reached = stop
    return True
