"""Reliability says what it compares with."""

from pathlib import Path

from tests.reports.random_run import SENTENCES, tables
from tests.reports.written import FullRun, Judged
from trustag.reports.sections.reliability import reliability_section


def test_reliability_says_what_it_compares_with(tmp_path: Path) -> None:
    blind = [[Judged("a", "O", "S-PER"), Judged("b", "S-PER", "S-PER")]]
    for name, sentences, words in (
        ("gold", SENTENCES, "the gold column says"),
        ("blind", blind, "There is no gold column"),
    ):
        section = reliability_section(FullRun(sentences).open(tmp_path / name))
        assert words in str(section.blocks[0])
    groups = tables(section)[0].rows
    assert [list(row[:4]) for row in groups] == [
        ["PER", "2", "95.0 %", "50.0 %"],
        ["position S", "2", "95.0 %", "50.0 %"],
    ]
