"""Assumed noise rates next to those measured on gold."""

from pathlib import Path

from tests.reports.random_run import SENTENCES, TOKENS, number, tables
from tests.reports.written import FullRun
from trustag.reports.sections.noise_section import noise_section


def test_noise_is_measured_beside_what_the_run_assumes(tmp_path: Path) -> None:
    section = noise_section(FullRun(SENTENCES, rates={"apart": {"S-PER": 0.4, "LOC": 0.3}}).open(tmp_path / "run"))
    rows = {str(row[0]): row for row in tables(section)[0].rows}
    for name, group in (
        ("O labels that miss an entity", [token for token in TOKENS if token.given == "O"]),
        ("entity labels that are wrong", [token for token in TOKENS if token.given != "O"]),
        ("PER of one word", [token for token in TOKENS if token.given == "S-PER"]),
        ("LOC", [token for token in TOKENS if token.given == "S-LOC"]),
    ):
        wrong = sum(token.given != token.gold for token in group)
        assert number(str(rows[name][1])) == len(group)
        assert rows[name][5] == f"{100 * wrong / len(group):.1f} %"
    assert rows["O labels that miss an entity"][2:4] == ["25.0 %", "20.0 to 30.0 %"]
