"""Issues as a run keeps them: one JSON line each, worst first, beside the corpus whose sentences they number."""

from collections.abc import Iterable, Iterator
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
from trustag.text.sentences import Source

_REMEDY: Final = "take the file the run wrote"


def write_issues(path: Path, issues: Iterable[Issue]) -> None:
    """Write issues in place of whatever is at ``path``."""
    with new_file(path, overwrite=True) as stream:
        for issue in issues:
            write_json_line(stream, to_record(issue))


def placed_issues(path: Path) -> Iterator[tuple[Source, Issue]]:
    """Yield the issues in a file of a run, each with its place; a fault is named by its line."""
    if path.is_file() and not path.stat().st_size:
        return
    for line, record in read_json_lines(InputFile(path), dict[str, Any]):
        where = Source(str(path), line)
        try:
            issue = from_record(record)
        except (msgspec.ValidationError, KeyError, TypeError) as error:
            raise InputError(f"is no issue: {error}", where=where, remedy=_REMEDY) from None
        yield where, issue


def read_issues(path: Path) -> tuple[Issue, ...]:
    """Return the issues in a file of a run."""
    return tuple(issue for _, issue in placed_issues(path))


def issues_of_run(run: str | Path) -> Issues:
    """Return the corpus that a run was given and the issues it found; both files must fit each other."""
    run = Path(run)
    if not (run / "manifest.json").is_file():
        raise InputError("is no run: it holds no manifest.json", where=run, remedy="name a folder of trustag train")
    for needed in ("given.jsonl", "issues.jsonl"):
        if not (run / needed).is_file():
            raise InputError(
                f"holds no {needed}: the run is unfinished, believed every label, or was made by an older version",
                where=run,
                remedy="train again, or name a model and a corpus: trustag issues MODEL CORPUS",
            )
    issues = read_issues(run / "issues.jsonl")
    sentences = tuple(stream(str(run / "given.jsonl"), CorpusOptions("jsonl"), unwatched))
    for place, issue in enumerate(issues, start=1):
        if not (
            0 <= issue.sentence < len(sentences) and 0 <= issue.first < issue.end <= len(sentences[issue.sentence])
        ):
            raise InputError(
                f"issue {issue.id} lies outside the corpus",
                where=Source(str(run / "issues.jsonl"), place),
                remedy="take issues.jsonl and given.jsonl from the same run",
            )
    return Issues(sentences, issues)
