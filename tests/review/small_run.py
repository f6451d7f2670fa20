"""Run folders with a handful of issues, in the format that training writes."""

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from trustag.files.token_records import record_of
from trustag.issues.filtering import Order
from trustag.issues.issue import Issue, kind_of, to_record
from trustag.review.decisions import DecisionLog
from trustag.review.entries import Verdict
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.session import ReviewAction, ReviewSession
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

SENTENCES = (
    Sentence(("Ann", "Lee", "works", "for", "Reuters", "."), ("B-PER", "O", "O", "O", "B-PER", "O"), document="one"),
    Sentence(("Reuters", "said", "so", "."), ("B-PER", "O", "O", "O"), document="one"),
    Sentence(("She", "flew", "to", "New", "York", "."), ("O", "O", "O", "O", "O", "O"), document="one"),
    Sentence(("Reuters", "asked", "Bob", "."), ("B-PER", "O", "B-PER", "O"), document="two"),
    Sentence(("The", "Monday", "was", "cold", "."), ("O", "B-LOC", "O", "O", "O"), document="two"),
)


def issue(
    sentence: int, first: int, end: int, score: float, *suggested: Span, corpus: Sequence[Sentence] = SENTENCES
) -> Issue:
    spans = read_spans(corpus[sentence].labels)
    given = tuple(span for span in spans if span.start < end and span.end > first)
    return Issue(sentence, first, end, kind_of(given, suggested), given, suggested, score, 1 - score, score, held=0.5)


ISSUES = (
    issue(0, 4, 5, 0.95, Span(4, 5, "ORG")),
    issue(1, 0, 1, 0.90, Span(0, 1, "ORG")),
    issue(2, 3, 5, 0.80, Span(3, 5, "LOC")),
    issue(0, 0, 2, 0.70, Span(0, 2, "PER")),
    issue(4, 1, 2, 0.60),
    issue(3, 0, 1, 0.55, Span(0, 1, "ORG")),
)
REUTERS, REUTERS_AGAIN, NEW_YORK, ANN_LEE, MONDAY, REUTERS_LAST = (one.id for one in ISSUES)


def write_run(folder: Path, sentences: Sequence[Sentence] = SENTENCES, issues: Sequence[Issue] = ISSUES) -> Path:
    """Write the files that review needs into ``folder`` and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text("{}")
    given = b"".join(msgspec.json.encode(record_of(sentence)) + b"\n" for sentence in sentences)
    (folder / "given.jsonl").write_bytes(given)
    lines = (json.dumps(to_record(one)) + "\n" for one in issues)
    (folder / "issues.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def open_session(folder: Path, order: Order = "worst") -> ReviewSession:
    run = open_reviewed_run(folder)
    return ReviewSession(run, DecisionLog(run.decisions, run.fingerprint), order)


def decide(
    session: ReviewSession, name: str, verdict: Verdict, *spans: Span, reviewer: str = "Ann", identical: bool = False
) -> int:
    """Decide on an issue as it is now, and return the number of entries that this added to the log."""
    version = session.state.version(name)
    return len(session.decide(ReviewAction(name, version, verdict, reviewer, "", spans, for_identical=identical)))
