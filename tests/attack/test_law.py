"""The law that commands are held to: what breaks it, and what does not."""

import pytest

from attack.law import Ending, Tally, breach
from attack.run import breaches

ONE_LINE = "trustag: train.conll:7: expected 2 columns, found 1; add the missing label"
TRACEBACK = 'Traceback (most recent call last):\n  File "x.py", line 1\nZeroDivisionError: division by zero'


@pytest.mark.parametrize(
    "ending",
    [
        Ending(0, "done", ""),
        Ending(1, "", "problems were found"),
        Ending(2, "", ONE_LINE),
        Ending(2, "", f"notes\n  train.conll: info: columns\n{ONE_LINE}\n"),
        Ending(2, "", "Usage: trustag train\nTry --help\n\nError: No such option '-x'.\n"),
    ],
)
def test_good_endings(ending: Ending) -> None:
    assert breach(ending) is None


@pytest.mark.parametrize(
    ("ending", "wrong"),
    [
        (Ending(3, "", ""), "exit code 3"),
        (Ending(-9, "", ""), "exit code -9"),
        (Ending(1, "", TRACEBACK), "a traceback: ZeroDivisionError: division by zero"),
        (Ending(0, "", TRACEBACK), "a traceback"),
        (Ending(2, "", ""), "not one line"),
        (Ending(2, "", f"{ONE_LINE}\n{ONE_LINE}"), "not one line"),
        (Ending(2, "", f"{ONE_LINE}\nand more of it"), "not one line"),
    ],
)
def test_bad_endings(ending: Ending, wrong: str) -> None:
    assert wrong in (breach(ending) or "")


def test_a_tally_counts_kinds_and_codes_and_keeps_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally()
    tally.count("model", "try 1", Ending(0, "", ""))
    tally.count("model", "try 2", Ending(2, "", ONE_LINE))
    tally.count("run", "try 3", Ending(0, "", ""), "left a file half-written")
    assert tally.facts() == {
        "total": 3,
        "tries": {"model": 2, "run": 1},
        "exit_codes": {"0": 2, "2": 1},
        "broken": ["try 3: left a file half-written"],
    }
    assert breaches({"part": tally.facts(), "other": {"broken": ["x"]}}) == ["try 3: left a file half-written", "x"]
