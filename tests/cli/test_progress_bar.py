"""The progress bar: drawn on terminals only, below everything else, and gone in the end."""

import os
import pty
import re
import subprocess
import sys

import pytest

from trustag.cli.progress_bar import ProgressBar

SCRIPT = """
import sys, time
import click
from trustag.cli.progress_bar import ProgressBar

@click.command()
def work():
    bar = ProgressBar(is_wanted=True)
    for step in range(5):
        bar.draw(step / 4 if sys.argv[1] == "known" else None, f"step {step} of [bold]4")
        bar.say(f"line {step}")
        time.sleep(0.3)
    if sys.argv[1] == "failing":
        raise ValueError("an error")
    bar.clear()

try:
    work([], standalone_mode=False)
except ValueError as error:
    click.echo(str(error), err=True)
"""


def shown(manner: str) -> str:
    """Return everything that a terminal of 80 columns gets from the script."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, manner], stderr=theirs, env=environment)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 10_000):
            text += part
    except OSError:
        pass  # the end of a terminal whose other side is closed
    os.close(ours)
    assert process.wait() == 0
    return text.decode()


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_shares_and_texts_are_drawn_below_the_lines() -> None:
    text = shown("known")
    shares = [int(share) for share in re.findall(r"(\d+)%", plain(text))]
    assert shares == sorted(shares)
    assert {0, 100} <= set(shares)
    assert "step 1 of [bold]4" in plain(text)
    for step in range(5):
        assert f"\x1b[2Kline {step}\r\n" in text
    # The bar is erased and the cursor is visible at the end.
    assert text.rindex("\x1b[2K") > text.rindex("step 4")
    assert text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")


def test_an_unknown_share_is_drawn_without_a_percentage() -> None:
    assert "%" not in plain(shown("unknown"))


def test_an_error_message_has_a_line_of_its_own() -> None:
    text = shown("failing")
    assert text.rindex("an error") > text.rindex("\x1b[2K")
    assert plain(text).rstrip().splitlines()[-1].strip() == "an error"


def test_nothing_is_drawn_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    bar = ProgressBar(is_wanted=True)
    assert not bar.is_shown
    bar.draw(0.5, "half")
    bar.say("a line")
    bar.clear()
    assert capfd.readouterr() == ("", "a line\n")
