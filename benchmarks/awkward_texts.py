"""A run over texts that tools stumble over: letters outside the common plane, odd spaces, markup, unknown labels."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from trustag.files.raw_texts import gaps_between
from trustag.files.text_spans import TextSpan, align_spans
from trustag.files.token_records import record_of
from trustag.files.tokenizers import tokenizer_named
from trustag.issues.issue import Issue, kind_of, to_record
from trustag.notes import unwatched
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

Words = dict[str, str]
"""Words of a text, where they stand first, with their type; ``-`` says that it is unknown."""


class Awkward(NamedTuple):
    """A text with the entities that are given in it and those that are suggested instead."""

    text: str
    given: Words
    suggested: Words


# Their number shares no factor with that of the kinds of answers, so that each text meets each kind.
TEXTS: Final = (
    Awkward("😀😀 Ann met 👩🏽‍🚀 Bob in 東京.", {"Ann": "LOC", "東京": "LOC"}, {"Ann": "PER", "東京": "LOC"}),
    Awkward("  two  spaces,\ta tab  before Ann  Lee \n", {"Ann": "PER"}, {"Ann  Lee": "PER"}),
    Awkward('<b>Ann</b> & "Bob" say: 1 < 2 &amp; done', {"b": "ORG", "Bob": "PER"}, {"Ann": "PER", "Bob": "PER"}),
    Awkward("line one ends\r\nAnn begins line two\nand Bob three", {"Bob": "LOC"}, {"Ann": "PER", "Bob": "PER"}),
    Awkward("Zoe\u0308 drank in a nai\u0308ve cafe\u0301 of Orléans", {"Orléans": "PER"}, {"Orléans": "LOC"}),
    Awkward("https://example.org/$text?a={{b}} is by Ann", {"https": "ORG"}, {"Ann": "PER"}),
    Awkward("שלום Ann مرحبا Bob", {"Ann": "PER"}, {"Ann": "PER", "Bob": "PER"}),
    Awkward("Ann\u00a0Lee and\u200b Bob\u2028left", {"Ann": "PER"}, {"Ann\u00a0Lee": "PER"}),
    Awkward("Ann saw Bob and Eve in Rome", {"Bob": "-", "Rome": "PER"}, {"Bob": "-", "Ann": "PER", "Rome": "LOC"}),
    Awkward("C:\\new\\table is Ann's \\u0041", {"new": "LOC"}, {"Ann": "PER"}),
    Awkward("Ann Bob Eve", {"Ann": "PER", "Bob": "PER"}, {"Ann Bob": "PER"}),
    Awkward("Team 🚀Rocket🚀 won", {"Team": "ORG"}, {"Team 🚀Rocket🚀": "ORG"}),
    Awkward("NaN", {}, {"NaN": "ORG"}),
    Awkward("null, None and true of R", {"null": "R&D"}, {"R": "größe"}),
    Awkward("'Ann', \"Bob\"; DROP TABLE x; --", {"DROP TABLE": "ORG"}, {"Ann": "PER"}),
    Awkward("-DOCSTART- Ann # Bob", {"Ann": "R&D"}, {"Ann": "PER", "Bob": "PER"}),
)


def write_awkward_run(folder: Path, copies: int) -> None:
    """Write what a run leaves for review into ``folder``: each of :data:`TEXTS` so many times, with an issue."""
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{}\n", encoding="utf-8")
    texts = TEXTS * copies
    with (folder / "given.jsonl").open("wb") as given, (folder / "issues.jsonl").open("w", encoding="utf-8") as issues:
        for number, awkward in enumerate(texts):
            sentence, suggested = _read(awkward.text, awkward.given), _read(awkward.text, awkward.suggested)
            # As a server numbers texts, but one further, so that a text that is none of these gets the last id.
            named = msgspec.structs.replace(sentence, id=str(number + 2))
            given.write(msgspec.json.encode(record_of(named)) + b"\n")
            issue = _issue(number, sentence, suggested, 1 - number / (2 * len(texts)))
            issues.write(json.dumps(to_record(issue)) + "\n")


def _read(text: str, words: Words) -> Sentence:
    offsets = tokenizer_named("regex")(text)
    marked = [TextSpan(text.index(one), text.index(one) + len(one), kind) for one, kind in words.items()]
    return Sentence(
        tokens=tuple(text[start:end] for start, end in offsets),
        labels=align_spans(text, offsets, marked, unwatched),
        gaps=gaps_between(text, offsets),
    )


def _issue(number: int, sentence: Sentence, suggestion: Sentence, score: float) -> Issue:
    """Return the issue that covers all the entities over which the readings differ."""
    before, after = read_spans(sentence.labels), read_spans(suggestion.labels)
    given, suggested = _only_in(before, after), _only_in(after, before)
    first = min(span.start for span in (*given, *suggested))
    end = max(span.end for span in (*given, *suggested))
    within = [tuple(span for span in reading if first <= span.start < end) for reading in (before, after)]
    kind = kind_of(*within)
    return Issue(number, first, end, kind, within[0], within[1], score, 1 - score, score / 2)


def _only_in(one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
    return [span for span in one if span not in other]
