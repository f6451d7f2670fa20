"""Decisions from answers made in Label Studio, doccano or Prodigy, or exported from another copy of the run."""

from collections.abc import Iterator, Mapping
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from trustag.corpora.locating import CorpusOptions, locate
from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import read_json_records
from trustag.files.text_spans import TextSpan, align_spans, token_spans
from trustag.files.token_splitting import SPLIT
from trustag.issues.issue import Issue
from trustag.notes import Note, Watch
from trustag.review.applying import with_decision
from trustag.review.entries import ReviewDecision, Verdict
from trustag.review.exporting import read_decisions
from trustag.review.reviewed_run import ReviewedRun
from trustag.runs.issue_files import are_entities_within, spans_within
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import Span, read_spans

ISSUE_KEY: Final = "trustag_issue"
SENTENCE_KEY: Final = "trustag_sentence"

_METADATA_KEYS: Final = ("data", "meta", "metadata")
_DECISION_KEYS: Final = frozenset({"issue", "verdict", "in_force"})
_READ_OPTIONS: Final = ReadOptions(label_studio="annotations")


class _Answer(NamedTuple):
    """One answered task: its record, its text with labels, and its line in the file."""

    record: Mapping[str, Any]
    sentence: Sentence
    source: Source


def read_answers(path: Path, run: ReviewedRun, reading: str, watch: Watch) -> list[ReviewDecision]:
    """Return the decisions in a file of answers to the issues of ``run``; ``watch`` gets a note on unusable answers.

    Tasks are matched by the sentence number or issue id that the exported task contains, otherwise by sentence id. The
    answer to a sentence settles all of its tokens except those whose labels it leaves unknown; the answer to a single
    issue settles the tokens of that issue.
    """
    _, first = next(read_json_records(InputFile(path), dict[str, Any]))
    if first.keys() >= _DECISION_KEYS:
        return [_checked(decision, run, where) for where, decision in read_decisions(path)]
    matcher = _AnswerMatcher(run)
    return [decision for answer in _answers(path, reading, watch) for decision in matcher.decisions(answer, watch)]


def _checked(decision: ReviewDecision, run: ReviewedRun, where: Source) -> ReviewDecision:
    """Return a decision made on another copy of the run, provided that it fits the sentences of this one."""
    length = len(run.sentences[decision.sentence]) if 0 <= decision.sentence < len(run.sentences) else 0
    inside = are_entities_within(decision.spans, decision.first, decision.end)
    if not inside or not 0 <= decision.first < decision.end <= length:
        raise InputError("does not match the sentences of the run", where=where, remedy="use the run it was made on")
    return decision


class _DropWatch:
    """Passes notes on, and remembers whether one of them reports an entity that does not fit the tokens of the run."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.has_dropped = False

    def __call__(self, note: Note) -> None:
        """Handle a note; keys used for matching are not reported as ignored, and rejected tasks are not drops."""
        if "trustag_" not in note.detail:
            self.watch(note)
        self.has_dropped |= note.kind == "dropped" or note.reason == SPLIT


def _answers(path: Path, reading: str, watch: Watch) -> Iterator[_Answer]:
    """Yield the tasks that have been answered and whose entities could all be read."""
    drops = _DropWatch(watch)
    located = locate(str(path), CorpusOptions(reading, options=_READ_OPTIONS))
    if located.format == "doccano":
        detail = "the file does not say which ones were approved; export approved documents only"
        watch(Note("info", "every doccano document counts as an answer", detail, Source(str(path))))
    records = read_json_records(InputFile(path), dict[str, Any])
    kept = ((line, record) for line, record in records if record.get("answer", "accept") in {None, "accept"})
    for found, sentence in zip_longest(kept, located.only_stream()(drops)):
        if found is None or sentence is None:
            raise InputError(
                "does not contain one text per record", where=path, remedy="use the file as it was exported"
            )
        line, record = found
        source = Source(str(path), line)
        if located.format == "prodigy" and record.get("answer") is None:
            watch(Note("left out", "task without an answer", _task_name(record), source))
        elif sentence.tokens and not any(sentence.labels):
            watch(Note("left out", "task without an annotation", _task_name(record), source))
        elif drops.has_dropped:
            watch(_misaligned(record, source))
        else:
            yield _Answer(record, sentence, source)
        drops.has_dropped = False


def _misaligned(record: Mapping[str, Any], source: Source) -> Note:
    return Note("left out", "answer with an entity that does not match token boundaries", _task_name(record), source)


class _AnswerMatcher:
    """Matches answers to the sentences and issues of a run."""

    def __init__(self, run: ReviewedRun) -> None:
        self.run = run
        self.issues = {issue.id: issue for issue in run.issues}
        self.by_sentence: dict[int, list[Issue]] = {}
        for issue in run.issues:
            self.by_sentence.setdefault(issue.sentence, []).append(issue)
        self.numbers: dict[str, list[int]] = {}
        for number, sentence in enumerate(run.sentences):
            if sentence.id is not None:
                self.numbers.setdefault(sentence.id, []).append(number)

    def decisions(self, answer: _Answer, watch: Watch) -> list[ReviewDecision]:
        """Return the decisions of an answer, or report why it cannot be used."""
        name = _value(answer.record, ISSUE_KEY)
        issue = None if name is None else self.issues.get(str(name))
        number = issue.sentence if issue is not None else self._sentence(answer) if name is None else None
        if number is None:
            watch(Note("left out", "answer that matches nothing in this run", _task_name(answer.record), answer.source))
            return []
        drops = _DropWatch(watch)
        labels = self._labels(number, answer, drops)
        if drops.has_dropped:
            watch(_misaligned(answer.record, answer.source))
            return []
        return (
            self._on_sentence(number, labels, answer)
            if issue is None
            else [self._on_issue(issue, labels, answer, watch)]
        )

    def _on_sentence(self, number: int, labels: tuple[Label, ...], answer: _Answer) -> list[ReviewDecision]:
        """Return one decision for each run of tokens whose labels the answer does not leave unknown."""
        given = read_spans(self.run.sentences[number].labels)
        suggested = given
        for issue in self.by_sentence.get(number, []):
            accepted = ReviewDecision(issue.id, "accepted", number, issue.first, issue.end, issue.suggested)
            suggested = with_decision(suggested, accepted)
        decisions = []
        for is_known, group in groupby(range(len(labels)), key=lambda token: labels[token] is not None):
            tokens = list(group)
            first, end = tokens[0], tokens[-1] + 1
            own = spans_within(read_spans(labels), first, end)
            readings: dict[tuple[Span, ...], Verdict] = {
                spans_within(suggested, first, end): "accepted",
                spans_within(given, first, end): "rejected",
            }
            if is_known:
                verdict = readings.get(own, "edited")
                decisions.append(ReviewDecision("", verdict, number, first, end, own, reviewer=answer.source.file))
        return decisions

    def _on_issue(self, issue: Issue, labels: tuple[Label, ...], answer: _Answer, watch: Watch) -> ReviewDecision:
        spans = read_spans(labels)
        own = spans_within(spans, issue.first, issue.end)
        first = min([issue.first, *(span.start for span in own)])
        end = max([issue.end, *(span.end for span in own)])
        given = read_spans(self.run.sentences[issue.sentence].labels)
        for span in spans:
            if span not in own and span not in given:
                detail = f"{span.type} at tokens {span.start}-{span.end} of sentence {issue.sentence}"
                watch(Note("left out", "new entity outside the issue", detail, answer.source))
        verdicts: dict[tuple[Span, ...], Verdict] = {issue.given: "rejected", issue.suggested: "accepted"}
        verdict = verdicts.get(own, "edited")
        return ReviewDecision(issue.id, verdict, issue.sentence, first, end, own, reviewer=answer.source.file)

    def _sentence(self, answer: _Answer) -> int | None:
        number = _value(answer.record, SENTENCE_KEY)
        if number is None and answer.sentence.id is not None:
            # Servers number their texts too, so an id alone may belong to another text.
            text = answer.sentence.text
            numbers = [n for n in self.numbers.get(answer.sentence.id, []) if self.run.sentences[n].text == text]
            number = numbers[0] if len(numbers) == 1 else None
        is_known = str(number).isdecimal() and int(str(number)) < len(self.run.sentences)
        return int(str(number)) if is_known else None

    def _labels(self, number: int, answer: _Answer, watch: Watch) -> tuple[Label, ...]:
        """Return the labels of an answer for the tokens of the run; the other tool may have tokenised differently."""
        sentence = self.run.sentences[number]
        if answer.sentence.text != sentence.text:
            raise InputError(
                f"the text differs from sentence {number}", where=answer.source, remedy="use answers to this run"
            )
        if answer.sentence.tokens == sentence.tokens:
            return answer.sentence.labels
        return align_spans(sentence.text, sentence.offsets, _character_spans(answer.sentence), watch)


def _character_spans(sentence: Sentence) -> Iterator[TextSpan]:
    """Yield the entities of a sentence, and its stretches of unknown labels, by character offsets."""
    offsets = sentence.offsets
    for start, end, kind in token_spans(sentence.labels, sentence.source):
        yield TextSpan(offsets[start][0], offsets[end - 1][1], kind, sentence.source)


def _value(record: Mapping[str, Any], key: str) -> object:
    """Return the value of ``key`` in a task, at its top level or in its metadata; None if there is none."""
    candidates = [record, *(record.get(name) for name in _METADATA_KEYS)]
    found = next((values[key] for values in candidates if isinstance(values, dict) and key in values), None)
    # As soon as one text of a doccano project has no number, doccano exports all numbers as floats.
    return int(found) if isinstance(found, float) and found.is_integer() else found


def _task_name(record: Mapping[str, Any]) -> str:
    name = _value(record, ISSUE_KEY) or _value(record, SENTENCE_KEY) or record.get("id")
    return "a task without an id" if name is None else f"task {name}"
