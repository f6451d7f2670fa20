"""Issues for other tools: JSON lines, spreadsheets, and tasks of annotation tools, in the order given.

A task of an annotation tool is a sentence with all its issues, so that nobody reads a sentence twice; it opens with the
suggested entities, and carries the given ones, the scores, the number of the sentence and the issues' names, by which
answers find their way back.
"""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from trustag.errors import InputError
from trustag.files.json_records import write_json_array, write_json_line
from trustag.files.raw_texts import stored_tokens
from trustag.files.text_spans import token_spans
from trustag.issues.flat_records import COLUMNS, Cell, row_of, source_of, words_in_text
from trustag.issues.issue import Issue, to_record
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

AGENT: Final = "trustag"
SENTENCE_KEY: Final = "trustag_sentence"
_GIVEN_KEY: Final = "trustag_given"
# What a spreadsheet takes for the beginning of a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class AnnotationTask:
    """A sentence with its issues, in the order they come in, and the entities of both readings of it."""

    number: int
    sentence: Sentence
    issues: tuple[Issue, ...]

    @property
    def given(self) -> list[Span]:
        """The entities as given; runs of unknown labels are entities of the type ``-``."""
        return token_spans(self.sentence.labels, self.sentence.source)

    @property
    def suggested(self) -> list[Span]:
        """The entities as all issues of the sentence would have them."""
        gone = {span for issue in self.issues for span in issue.given}
        added = [span for issue in self.issues for span in issue.suggested]
        return sorted([*(span for span in self.given if span not in gone), *added])

    @property
    def score(self) -> float:
        """The score of the worst issue."""
        return max(issue.score for issue in self.issues)

    @property
    def suggested_score(self) -> float:
        """The probability of the least probable suggestion."""
        return min(issue.suggested_score for issue in self.issues)

    def facts(self) -> dict[str, Any]:
        """Return what lets an answer be matched to the issues: their names, kinds and scores, and the sentence."""
        return {
            SENTENCE_KEY: self.number,
            "trustag_score": self.score,
            "trustag_issues": [{"id": issue.id, "kind": issue.kind, "score": issue.score} for issue in self.issues],
        }


def tasks_of(issues: Sequence[Issue], sentences: Sequence[Sentence]) -> list[AnnotationTask]:
    """Return one task for each sentence with issues, in the order of the first of them."""
    own: dict[int, list[Issue]] = {}
    for issue in issues:
        own.setdefault(issue.sentence, []).append(issue)
    return [AnnotationTask(number, sentences[number], tuple(found)) for number, found in own.items()]


def write_export(stream: BinaryIO, form: str, issues: Sequence[Issue], sentences: Sequence[Sentence]) -> None:
    """Write issues in one of :data:`EXPORTS`."""
    EXPORTS[form].write(stream, issues, sentences)


def _json_lines(stream: BinaryIO, issues: Sequence[Issue], sentences: Sequence[Sentence]) -> None:
    for issue in issues:
        sentence = sentences[issue.sentence]
        words = {"text": words_in_text(issue, sentence), "context": sentence.text, "tokens": sentence.tokens}
        write_json_line(stream, {"id": issue.id, **to_record(issue), **words, "source": source_of(issue, sentence)})


def _csv(stream: BinaryIO, issues: Sequence[Issue], sentences: Sequence[Sentence]) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for issue in issues:
        table.writerow([no_formula(cell) for cell in row_of(issue, sentences).values()])
    text.detach()


def no_formula(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet computes: text that looks like a formula gets an apostrophe before it.

    >>> no_formula("=1+1"), no_formula("Rome"), no_formula(-0.5)
    ("'=1+1", 'Rome', -0.5)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA) else cell


def _label_studio(stream: BinaryIO, issues: Sequence[Issue], sentences: Sequence[Sentence]) -> None:
    write_json_array(stream, map(_label_studio_task, tasks_of(issues, sentences)))


def _label_studio_task(task: AnnotationTask) -> dict[str, Any]:
    # Of several predictions Label Studio shows annotators the last.
    readings = ("given", task.given, 1.0 - task.score), (AGENT, task.suggested, task.suggested_score)
    return {
        "data": {"text": task.sentence.text, "tokens": stored_tokens(task.sentence), **task.facts()},
        "predictions": [
            {
                "model_version": version,
                "score": score,
                "result": [
                    {
                        "id": f"{version}-{number}",
                        "from_name": "label",
                        "to_name": "text",
                        "type": "labels",
                        "value": {
                            "start": span["start"],
                            "end": span["end"],
                            "text": task.sentence.text[span["start"] : span["end"]],
                            "labels": [span["label"]],
                        },
                    }
                    for number, span in enumerate(_characters(task.sentence, reading))
                ],
            }
            for version, reading, score in readings
        ],
    }


def _doccano(stream: BinaryIO, issues: Sequence[Issue], sentences: Sequence[Sentence]) -> None:
    for task in tasks_of(issues, sentences):
        given, suggested = (
            [[span["start"], span["end"], span["label"]] for span in _characters(task.sentence, reading)]
            for reading in (task.given, task.suggested)
        )
        record = {"text": task.sentence.text, "label": suggested, _GIVEN_KEY: given, **task.facts()}
        write_json_line(stream, {**record, "tokens": stored_tokens(task.sentence)})


def _prodigy(stream: BinaryIO, issues: Sequence[Issue], sentences: Sequence[Sentence]) -> None:
    for task in tasks_of(issues, sentences):
        sentence = task.sentence
        gaps = sentence.gaps or ("", *(" ",) * len(sentence))
        tokens = [
            {"text": token, "start": start, "end": end, "id": number, "ws": bool(gaps[number + 1])}
            for number, (token, (start, end)) in enumerate(zip(sentence.tokens, sentence.offsets, strict=True))
        ]
        given, suggested = (
            [
                {**characters, "token_start": span.start, "token_end": span.end - 1}
                for span, characters in zip(reading, _characters(sentence, reading), strict=True)
            ]
            for reading in (task.given, task.suggested)
        )
        meta = {"score": round(task.score, 4), "kinds": ", ".join(issue.kind for issue in task.issues)}
        record = {"text": sentence.text, "tokens": tokens, "spans": suggested, _GIVEN_KEY: given, "meta": meta}
        write_json_line(stream, {**record, **task.facts()})


def _argilla(stream: BinaryIO, issues: Sequence[Issue], sentences: Sequence[Sentence]) -> None:
    def record(task: AnnotationTask) -> dict[str, Any]:
        suggestion = {
            "question_name": "entities",
            "value": _characters(task.sentence, task.suggested),
            "score": task.suggested_score,
            "agent": AGENT,
        }
        names = [issue.id for issue in task.issues]
        metadata = {SENTENCE_KEY: task.number, "trustag_score": task.score, "trustag_issues": names}
        return {
            "id": str(task.number),
            "fields": {"text": task.sentence.text},
            "suggestions": [suggestion],
            "metadata": {**metadata, "trustag_kinds": sorted({issue.kind for issue in task.issues})},
        }

    write_json_array(stream, map(record, tasks_of(issues, sentences)))


def _characters(sentence: Sentence, reading: Sequence[Span]) -> list[dict[str, Any]]:
    offsets = sentence.offsets
    return [{"start": offsets[s.start][0], "end": offsets[s.end - 1][1], "label": s.type} for s in reading]


@dataclass(frozen=True, slots=True)
class Export:
    """A form of issues for another tool, and how its files are named."""

    suffix: str
    write: Callable[[BinaryIO, Sequence[Issue], Sequence[Sentence]], None]


EXPORTS: Final[dict[str, Export]] = {
    "jsonl": Export(".jsonl", _json_lines),
    "csv": Export(".csv", _csv),
    "label-studio": Export(".json", _label_studio),
    "doccano": Export(".jsonl", _doccano),
    "prodigy": Export(".jsonl", _prodigy),
    "argilla": Export(".json", _argilla),
}


def export_for(path: Path) -> str:
    """Return the form that a file name tells: the first in the table with its suffix."""
    plain = path.with_suffix("") if path.suffix == ".gz" else path
    for name, known in EXPORTS.items():
        if plain.suffix == known.suffix:
            return name
    raise InputError("no form of issues is known by this name", where=path, remedy=f"pass --to {'|'.join(EXPORTS)}")
