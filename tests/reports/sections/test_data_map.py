"""The data map, against a histogram."""

from pathlib import Path

import numpy as np

from tests.reports.random_run import SENTENCES, TOKENS, number, tables
from tests.reports.written import FullRun
from trustag.reports.sections.data_map import data_map_section


def test_the_data_map_counts_every_label_in_its_cell(tmp_path: Path) -> None:
    section = data_map_section(FullRun(SENTENCES).open(tmp_path / "run"))
    for name, table in zip(
        ("O", "PER", "LOC"), sorted(tables(section), key=lambda t: "OPL".index(t.caption[16])), strict=True
    ):
        own = [token for token in TOKENS if (token.given or "").removeprefix("S-") == name]
        means = np.array([token.mean for token in own], dtype=np.float32)
        spreads = np.array([token.spread for token in own], dtype=np.float32)
        expected, _, _ = np.histogram2d(means, spreads, bins=(np.arange(21) / 20, np.arange(11) / 20))
        found = {row[0]: [number(cell.text) for cell in row[1:]] for row in table.rows}  # type: ignore[union-attr]
        assert sum(map(sum, found.values())) == len(own)
        for place, line in enumerate(expected):
            told = found.get(f"{place / 20:.2f} to {(place + 1) / 20:.2f}", [0] * 10)
            assert told == line.astype(int).tolist()
