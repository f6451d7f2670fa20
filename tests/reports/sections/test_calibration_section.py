"""Calibration against gold, or against the given labels where there is no gold."""

from pathlib import Path

from tests.reports.random_run import SENTENCES, tables
from tests.reports.written import Assessed, FullRun
from trustag.reports.sections.calibration_section import calibration_section


def test_calibration_says_what_it_compares_with(tmp_path: Path) -> None:
    blind = [[Assessed("a", "O", "S-PER"), Assessed("b", "S-PER", "S-PER")]]
    for name, sentences, words in (
        ("gold", SENTENCES, "equal to the gold column"),
        ("blind", blind, "There is no gold column"),
    ):
        section = calibration_section(FullRun(sentences).open(tmp_path / name))
        assert words in str(section.blocks[0])
    groups = tables(section)[0].rows
    assert [list(row[:4]) for row in groups] == [
        ["PER", "2", "95.0 %", "50.0 %"],
        ["only word", "2", "95.0 %", "50.0 %"],
    ]
