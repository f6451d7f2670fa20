"""Issues as flat rows, for tables and spreadsheets: one issue a row, every cell a plain value."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from trustag.issues.grouping import reading_in_words
from trustag.issues.issue import Issue
from trustag.issues.label_sources import sources_of
from trustag.text.sentences import SOURCE_JOINT, Sentence

Cell: TypeAlias = str | int | float | None

COLUMNS: Final = (
    "sentence",
    "token_start",
    "token_end",
    "text",
    "given_label",
    "suggested_label",
    "kind",
    "score",
    "given_score",
    "suggested_score",
    "position_score",
    "type_score",
    "held",
    "label_sources",
    "source",
    "context",
)


def row_of(issue: Issue, sentences: Sequence[Sentence]) -> dict[str, Cell]:
    """Return an issue as a row with all :data:`COLUMNS`; ``source`` is its file and line where they are known.

    ``label_sources`` names the annotators, dictionaries or rules that gave the labels, where they are known.
    """
    sentence = sentences[issue.sentence]
    words = sentence.tokens[issue.first : issue.end]
    values: tuple[Cell, ...] = (
        issue.sentence,
        issue.first,
        issue.end,
        words_in_text(issue, sentence),
        reading_in_words(issue.given, issue, words),
        reading_in_words(issue.suggested, issue, words),
        issue.kind,
        issue.score,
        issue.given_score,
        issue.suggested_score,
        issue.position_score,
        issue.type_score,
        issue.held,
        SOURCE_JOINT.join(sources_of(sentence, issue.first, issue.end)),
        source_of(issue, sentence),
        sentence.text,
    )
    return dict(zip(COLUMNS, values, strict=True))


def source_of(issue: Issue, sentence: Sentence) -> str | None:
    """Return the file and the line at which an issue stands; None where they are unknown."""
    return None if sentence.source is None else str(sentence.line_of(issue.first))


def words_in_text(issue: Issue, sentence: Sentence) -> str:
    """Return the words of an issue as they stand in the text, with the spacing between them."""
    offsets = sentence.offsets
    return sentence.text[offsets[issue.first][0] : offsets[issue.end - 1][1]]
