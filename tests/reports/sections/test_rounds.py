"""Rounds and changes: numbers as the files say, ways counted by hand, the surest case beside each."""

from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.figures.written import WrittenRun
from tests.reports.random_run import SENTENCES, TOKENS, number, tables
from tests.reports.written import FullRun
from trustag.reports.blocks import Lack
from trustag.reports.sections.rounds import in_context, rounds_section


def kind(label: str | None) -> str | None:
    return label and label.removeprefix("S-")


def test_ways_of_changing_are_counted_and_shown_by_their_surest_case(tmp_path: Path) -> None:
    rounds, changes = tables(rounds_section(FullRun(SENTENCES).open(tmp_path / "run")))
    changed = [token for token in TOKENS if token.given != token.believed]
    assert [row[0] for row in rounds.rows] == ["1"]
    assert str(rounds.rows[0][3]).startswith(f"{len(changed)} ")
    ways = Counter((kind(token.given), kind(token.believed)) for token in changed)
    assert {(row[0], row[1]): number(str(row[3])) for row in changes.rows} == ways
    for row in changes.rows:
        own = [token for token in changed if (kind(token.given), kind(token.believed)) == (row[0], row[1])]
        surest = max(own, key=lambda token: token.suggested_score - token.score)
        assert row[4:] == [f"{surest.score:.2f}", f"{surest.suggested_score:.2f}"]
        assert f"[{surest.text}]" in str(row[2])


def test_a_run_without_rounds_says_so(tmp_path: Path) -> None:
    section = rounds_section(WrittenRun(recipe="[rounds]\ncount = 0\n").open(tmp_path / "run"))
    assert [type(block) for block in section.blocks] == [Lack]


@given(st.integers(1, 30), st.integers(-2, 32))
def test_a_token_stands_in_brackets_between_its_nearest_neighbours(length: int, place: int) -> None:
    tokens = [f"w{index}" for index in range(length)]
    found = in_context(tokens, place).split()
    if not 0 <= place < length:
        assert found == []
        return
    assert f"[w{place}]" in found
    words = [word for word in found if word != "…"]
    first = int(words[0].strip("[]w"))
    assert [word.strip("[]") for word in words] == tokens[first : first + len(words)]
    assert (found[0] == "…") == (first > 0)
    assert (found[-1] == "…") == (first + len(words) < length)
    assert len(words) == min(length, place + 6) - max(0, place - 5)
