"""Confusion tables, counted again here."""

from collections import Counter
from pathlib import Path

from tests.reports.random_run import SENTENCES, TOKENS, number, tables
from tests.reports.written import Assessed, FullRun
from trustag.reports.blocks import Shaded
from trustag.reports.sections.confusion_section import confusion_section


def test_given_new_and_gold_labels_are_counted_as_by_hand(tmp_path: Path) -> None:
    section = confusion_section(FullRun(SENTENCES).open(tmp_path / "run"))
    (table,) = tables(section)
    pairs = Counter((token.given, token.new_label) for token in TOKENS)
    right = Counter((token.given, token.new_label) for token in TOKENS if token.new_label == token.gold)
    shown = dict(zip(table.header[1:], ("O", "S-LOC", "S-PER"), strict=False))
    for row in table.rows:
        for name, cell in zip(table.header[1:-1], row[1:-1], strict=True):
            key = (shown[str(row[0])], shown[name])
            assert number(cell.text) == pairs[key]  # type: ignore[union-attr]
            if key[0] != key[1]:
                assert cell.note == f"{100 * right[key] / pairs[key]:.0f} % correct"  # type: ignore[union-attr]


def test_many_types_are_combined(tmp_path: Path) -> None:
    sentences = [[Assessed("w", f"S-T{place}", f"S-T{(place + 1) % 30}", f"S-T{place}")] for place in range(30)]
    section = confusion_section(FullRun(sentences).open(tmp_path / "run"))
    (table,) = tables(section)
    assert "12 rarest types are combined" in str(section.blocks[0])
    cells = [cell for row in table.rows for cell in row if isinstance(cell, Shaded)]
    assert sum(number(cell.text) for cell in cells) == 30
    assert table.rows[-1][0] == "other types"
