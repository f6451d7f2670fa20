"""Answers that come back from Label Studio, doccano or Prodigy, or from another copy of the run, as decisions."""

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
from trustag.issues.issue import Issue
from trustag.notes import Note, Watch
from trustag.review.applying import with_decision
from trustag.review.decisions import Decision, Verdict
from trustag.review.exporting import read_decisions
from trustag.review.reviewed_run import ReviewedRun, is_reading, spans_within
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import Span, read_spans

ISSUE_KEY: Final = "trustag_issue"
SENTENCE_KEY: Final = "trustag_sentence"

_PLACES: Final = ("data", "meta", "metadata")
_DECISION_KEYS: Final = frozenset({"issue", "verdict", "in_force"})
_ANNOTATED: Final = ReadOptions(label_studio="annotations")


class _Answer(NamedTuple):
    """One task that came back: what it says of itself, its text with labels, and the line of the file."""

    record: Mapping[str, Any]
    sentence: Sentence
    source: Source


def read_answers(path: Path, run: ReviewedRun, reading: str, watch: Watch) -> list[Decision]:
    """Return the decisions in a file of answers to the issues of ``run``; what cannot be used is noted.

    Tasks are matched by the sentence number or the issue that the exported queue carries, or else by sentence id. The
    answer to a sentence decides on all of its words but those that are left unknown, the answer to a single issue on
    the words of that.
    """
    _, first = next(read_json_records(InputFile(path), dict[str, Any]))
    if first.keys() >= _DECISION_KEYS:
        return [_checked(decision, run, where) for where, decision in read_decisions(path)]
    finder = _Finder(run)
    return [decision for answer in _answers(path, reading, watch) for decision in finder.decisions(answer, watch)]


def _checked(decision: Decision, run: ReviewedRun, where: Source) -> Decision:
    """Return a decision made on another copy of the run, which must be about the same sentences."""
    length = len(run.sentences[decision.sentence]) if 0 <= decision.sentence < len(run.sentences) else 0
    inside = is_reading(decision.spans, decision.first, decision.end)
    if not inside or not 0 <= decision.first < decision.end <= length:
        raise InputError("does not fit the sentences of the run", where=where, remedy="take the run it was made on")
    return decision


class _Ear:
    """Passes notes on, and remembers whether one told of an entity that was dropped."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.has_lost = False

    def __call__(self, note: Note) -> None:
        """Take a note; the keys that match tasks to issues are not left out, and rejected tasks are no loss."""
        if "trustag_" not in note.detail:
            self.watch(note)
        self.has_lost |= note.kind == "dropped" and not note.reason.startswith("answer is")


def _answers(path: Path, reading: str, watch: Watch) -> Iterator[_Answer]:
    """Yield the tasks that somebody has answered, with every entity of the answer."""
    ear = _Ear(watch)
    located = locate(str(path), CorpusOptions(reading, options=_ANNOTATED))
    if located.format == "doccano":
        detail = "whether somebody approved of them is not said there; export approved texts only"
        watch(Note("info", "every text of doccano counts as an answer", detail, Source(str(path))))
    records = read_json_records(InputFile(path), dict[str, Any])
    kept = ((line, record) for line, record in records if record.get("answer", "accept") in {None, "accept"})
    for found, sentence in zip_longest(kept, located.only_stream()(ear)):
        if found is None or sentence is None:
            raise InputError("does not hold one text a record", where=path, remedy="give the export as it came")
        line, record = found
        source = Source(str(path), line)
        if located.format == "prodigy" and record.get("answer") is None:
            watch(Note("left out", "task without an answer", _named(record), source))
        elif sentence.tokens and not any(sentence.labels):
            watch(Note("left out", "task without an annotation", _named(record), source))
        elif ear.has_lost:
            watch(_unplaced(record, source))
        else:
            yield _Answer(record, sentence, source)
        ear.has_lost = False


def _unplaced(record: Mapping[str, Any], source: Source) -> Note:
    return Note("left out", "answer with an entity that fits no words", _named(record), source)


class _Finder:
    """Finds what an answer is about."""

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

    def decisions(self, answer: _Answer, watch: Watch) -> list[Decision]:
        """Return what an answer decides, or note why that cannot be told."""
        name = _carried(answer.record, ISSUE_KEY)
        issue = None if name is None else self.issues.get(str(name))
        number = issue.sentence if issue is not None else self._sentence(answer) if name is None else None
        if number is None:
            watch(Note("left out", "answer that fits nothing in this run", _named(answer.record), answer.source))
            return []
        ear = _Ear(watch)
        labels = self._labels(number, answer, ear)
        if ear.has_lost:
            watch(_unplaced(answer.record, answer.source))
            return []
        return (
            self._on_sentence(number, labels, answer)
            if issue is None
            else [self._on_issue(issue, labels, answer, watch)]
        )

    def _on_sentence(self, number: int, labels: tuple[Label, ...], answer: _Answer) -> list[Decision]:
        """Return one decision for each stretch of words that the answer does not leave unknown."""
        given = read_spans(self.run.sentences[number].labels)
        suggested = given
        for issue in self.by_sentence.get(number, []):
            accepted = Decision(issue.id, "accepted", number, issue.first, issue.end, issue.suggested)
            suggested = with_decision(suggested, accepted)
        decisions = []
        for is_known, run in groupby(range(len(labels)), key=lambda token: labels[token] is not None):
            tokens = list(run)
            first, end = tokens[0], tokens[-1] + 1
            own = spans_within(read_spans(labels), first, end)
            readings: dict[tuple[Span, ...], Verdict] = {
                spans_within(suggested, first, end): "accepted",
                spans_within(given, first, end): "rejected",
            }
            if is_known:
                verdict = readings.get(own, "edited")
                decisions.append(Decision("", verdict, number, first, end, own, reviewer=answer.source.file))
        return decisions

    def _on_issue(self, issue: Issue, labels: tuple[Label, ...], answer: _Answer, watch: Watch) -> Decision:
        spans = read_spans(labels)
        own = spans_within(spans, issue.first, issue.end)
        first = min([issue.first, *(span.start for span in own)])
        end = max([issue.end, *(span.end for span in own)])
        given = read_spans(self.run.sentences[issue.sentence].labels)
        for span in spans:
            if span not in own and span not in given:
                detail = f"{span.type} at words {span.start}-{span.end} of sentence {issue.sentence}"
                watch(Note("left out", "new entity outside the issue", detail, answer.source))
        verdicts: dict[tuple[Span, ...], Verdict] = {issue.given: "rejected", issue.suggested: "accepted"}
        verdict = verdicts.get(own, "edited")
        return Decision(issue.id, verdict, issue.sentence, first, end, own, reviewer=answer.source.file)

    def _sentence(self, answer: _Answer) -> int | None:
        number = _carried(answer.record, SENTENCE_KEY)
        if number is None and answer.sentence.id is not None:
            # Servers number texts too, so that an id alone may be that of something else.
            text = answer.sentence.text
            numbers = [n for n in self.numbers.get(answer.sentence.id, []) if self.run.sentences[n].text == text]
            number = numbers[0] if len(numbers) == 1 else None
        is_known = str(number).isdecimal() and int(str(number)) < len(self.run.sentences)
        return int(str(number)) if is_known else None

    def _labels(self, number: int, answer: _Answer, watch: Watch) -> tuple[Label, ...]:
        """Return the labels of an answer over the tokens of the run, which the other tool may have cut otherwise."""
        sentence = self.run.sentences[number]
        if answer.sentence.text != sentence.text:
            raise InputError(
                f"the text is not that of sentence {number}", where=answer.source, remedy="take answers to this run"
            )
        if answer.sentence.tokens == sentence.tokens:
            return answer.sentence.labels
        return align_spans(sentence.text, sentence.offsets, _over_characters(answer.sentence), watch)


def _over_characters(sentence: Sentence) -> Iterator[TextSpan]:
    """Yield the entities of a sentence, and what is unknown in it, by their characters."""
    offsets = sentence.offsets
    for start, end, kind in token_spans(sentence.labels, sentence.source):
        yield TextSpan(offsets[start][0], offsets[end - 1][1], kind, sentence.source)


def _carried(record: Mapping[str, Any], key: str) -> object:
    """Return what a task carries under ``key``, wherever its tool keeps such things."""
    places = [record, *(record.get(place) for place in _PLACES)]
    found = next((place[key] for place in places if isinstance(place, dict) and key in place), None)
    # As soon as one text of a doccano project has no number, the numbers of all others are exported as fractions.
    return int(found) if isinstance(found, float) and found.is_integer() else found


def _named(record: Mapping[str, Any]) -> str:
    name = _carried(record, ISSUE_KEY) or _carried(record, SENTENCE_KEY) or record.get("id")
    return "a task without a name" if name is None else f"task {name}"
