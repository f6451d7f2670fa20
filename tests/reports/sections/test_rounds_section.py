"""Rounds and changed labels: counts of the changes file, and the most certain change of each kind as example."""

from collections import Counter
from pathlib import Path

from tests.reports.random_run import SENTENCES, TOKENS, number, tables
from tests.reports.written import Assessed, FullRun
from trustag.reports.blocks import Missing
from trustag.reports.sections.rounds_section import rounds_section, token_in_context


def test_changes_are_counted_by_kind(tmp_path: Path) -> None:
    _, changes = tables(rounds_section(FullRun(SENTENCES).open(tmp_path / "run")))
    expected = Counter(
        (str(token.given).removeprefix("S-"), token.new_label.removeprefix("S-"))
        for token in TOKENS
        if token.given != token.new_label
    )
    assert {(row[0], row[1]): number(str(row[3])) for row in changes.rows} == expected


def test_the_example_is_the_most_certain_change(tmp_path: Path) -> None:
    sentences = [
        [Assessed("Ann", "O", "S-PER", score=0.4, suggested_score=0.5)],
        [Assessed("Bob", "O", "S-PER", score=0.1, suggested_score=0.8), Assessed("slept", "O", "O")],
    ]
    _, changes = tables(rounds_section(FullRun(sentences).open(tmp_path / "run")))
    assert [list(row) for row in changes.rows] == [["O", "PER", "[Bob] slept", "2", "0.10", "0.80"]]


def test_without_any_change_the_section_says_so(tmp_path: Path) -> None:
    section = rounds_section(FullRun([[Assessed("Ann", "O", "O")]]).open(tmp_path / "run"))
    assert "no label was changed" in str([block for block in section.blocks if isinstance(block, Missing)])


def test_a_token_outside_the_sentence_has_no_context() -> None:
    assert token_in_context(["a", "b"], 2) == ""
    assert token_in_context([*"abcdefghijklm"], 6) == "… b c d e f [g] h i j k l …"
