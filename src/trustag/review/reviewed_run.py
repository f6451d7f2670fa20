"""The part of a run that is reviewed: its training corpus as given and its label issues, checked for consistency."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from trustag.corpora.survey import Survey
from trustag.files.inputs import InputFile
from trustag.issues.filtering import in_order
from trustag.issues.issue import Issue
from trustag.runs.folder import RunFolder, fingerprint
from trustag.runs.issue_files import issues_of_run
from trustag.text.labels import entity_types
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence


@dataclass(frozen=True, slots=True)
class ReviewedRun:
    """The training sentences of a run in their original scheme, and its issues, likeliest errors first.

    ``types`` are the entity types of both; ``fingerprint`` identifies the corpus, so that decisions made on another one
    are recognised; ``older_fingerprint`` is what the decision logs of the first version hold.
    """

    path: Path
    sentences: tuple[Sentence, ...]
    issues: tuple[Issue, ...]
    scheme: Scheme
    types: tuple[str, ...]
    fingerprint: str
    older_fingerprint: str

    @property
    def decisions(self) -> Path:
        """The path of the decision log."""
        return RunFolder(self.path).decisions


def open_reviewed_run(path: Path) -> ReviewedRun:
    """Return the run in ``path`` for review; missing or inconsistent files raise ``InputError``."""
    found = issues_of_run(path)
    sentences, issues = found.sentences, found.issues
    survey = Survey().add(sentences)
    suggested = {span.type for issue in issues for span in issue.suggested}
    return ReviewedRun(
        path=path,
        sentences=sentences,
        issues=tuple(in_order(issues, "worst")),
        scheme=survey.scheme.scheme,
        types=tuple(sorted({*entity_types(survey.tags), *suggested})),
        fingerprint=fingerprint(sentences),
        older_fingerprint=hashlib.sha256(InputFile(RunFolder(path).given).read_bytes()).hexdigest(),
    )
