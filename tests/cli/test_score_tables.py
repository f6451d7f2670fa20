"""Scores as text: seqeval's own report line by line, and no control characters from labels."""

import click
from seqeval.metrics import classification_report

from trustag.cli.score_tables import conlleval_lines, overlap_table, report_table, scores_as_values
from trustag.text.overlap_scores import OverlapTally
from trustag.text.scoring import score_labels

GOLD = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORGANISATION", "O"]]
PREDICTED = [["B-PER", "I-PER", "O", "B-PER"], ["O", "B-ORGANISATION", "B-LOC"]]


def test_the_report_is_that_of_seqeval_line_by_line() -> None:
    scores = score_labels(zip(GOLD, PREDICTED, strict=True))
    expected = classification_report(GOLD, PREDICTED, digits=4, zero_division=0)
    assert report_table(scores).splitlines() == expected.rstrip("\n").splitlines()


def test_values_and_lines_have_the_same_numbers() -> None:
    scores = score_labels(zip(GOLD, PREDICTED, strict=True))
    values = scores_as_values(scores)
    assert values["entities"] == {"gold": 3, "found": 4, "correct": 2}
    assert conlleval_lines(scores).startswith("processed 7 tokens with 3 phrases; found: 4 phrases; correct: 2.\n")


def test_the_overlap_table_has_a_row_per_schema() -> None:
    tally = OverlapTally(None)
    for gold, predicted in zip(GOLD, PREDICTED, strict=True):
        tally.add(gold, predicted)
    header, *rows = click.unstyle(overlap_table(tally.result(), ["strict", "exact"])).splitlines()
    assert header.split() == [
        "correct",
        "incorrect",
        "partial",
        "missed",
        "spurious",
        "precision",
        "recall",
        "f1-score",
    ]
    assert [row.split()[0] for row in rows] == ["strict", "exact"]


def test_control_characters_in_types_are_escaped_and_rows_stay_aligned() -> None:
    lines = report_table(score_labels([(("B-A\x1b[2J\u202e", "O"), ("B-A\x1b[2J\u202e", "B-B"))])).splitlines()
    assert all(line.isprintable() for line in lines)
    assert any(r"A\x1b[2J\u202e" in line for line in lines)
    assert len({len(line) for line in lines[2:4]}) == 1
