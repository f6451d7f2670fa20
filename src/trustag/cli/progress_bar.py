"""A bar at the foot of the screen, where somebody watches, and how lines and times are written above it."""

import sys
import time
from typing import Final

import click

_WIDTH: Final = 30
_SECONDS_BETWEEN_DRAWINGS: Final = 0.2


class Bar:
    """One line on standard error that is drawn again and again; nothing at all where standard error is no terminal."""

    def __init__(self, *, is_wanted: bool) -> None:
        self.is_shown = is_wanted and sys.stderr.isatty()
        self._drawn_at = 0.0
        self._length = 0

    def draw(self, done: float, text: str) -> None:
        """Show a share of 1 as done, unless that was shown a moment ago."""
        now = time.monotonic()
        if self.is_shown and now - self._drawn_at > _SECONDS_BETWEEN_DRAWINGS:
            self._drawn_at = now
            line = f"  [{'#' * round(_WIDTH * done):<{_WIDTH}}] {done:4.0%}  {text}"
            click.echo(f"\r{line:<{self._length}}", nl=False, err=True)
            self._length = len(line)

    def clear(self) -> None:
        """Remove the bar, so that a line can be written in its place."""
        if self._length:
            click.echo(f"\r{'':<{self._length}}\r", nl=False, err=True)
            self._length = 0

    def say(self, line: str) -> None:
        """Write a line above the bar."""
        self.clear()
        click.echo(line, err=True)


def as_time(seconds: float) -> str:
    """Return minutes and seconds, with hours where there are any.

    >>> as_time(75.2), as_time(7384)
    ('1:15', '2:03:04')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
