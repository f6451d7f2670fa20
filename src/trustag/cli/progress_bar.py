"""Progress bars on standard error, drawn by rich; nothing is drawn where standard error is not a terminal."""

import sys
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from rich.progress import Progress

_DRAWINGS_PER_SECOND: Final = 5


class ProgressBar:
    """A bar at the foot of the terminal; whatever is written to ``sys.stderr`` meanwhile appears above it."""

    def __init__(self, *, is_wanted: bool) -> None:
        self.is_shown = is_wanted and sys.stderr.isatty()
        self._progress: Progress | None = None

    def draw(self, share: float | None, text: str) -> None:
        """Show which share of the work is done; None, where that is unknown, only shows that work is going on."""
        if not self.is_shown:
            return
        if self._progress is None:
            self._progress = _start(share, text)
            context = click.get_current_context(silent=True)
            if context is not None:
                context.call_on_close(self.clear)  # an error message must not share a line with the bar
        (task,) = self._progress.task_ids
        self._progress.update(task, completed=share, total=None if share is None else 1.0, text=text)

    def clear(self) -> None:
        """Remove the bar."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def say(self, line: str) -> None:
        """Write a line above the bar."""
        # Named, because click finds its own way around the stream that rich puts in place of standard error.
        click.echo(line, file=sys.stderr)


def _start(share: float | None, text: str) -> "Progress":
    from rich.console import Console  # noqa: PLC0415 - rich takes time to load, and few commands draw
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn  # noqa: PLC0415

    progress = Progress(
        BarColumn(bar_width=30),
        TaskProgressColumn(),
        TextColumn("{task.fields[text]}", markup=False),
        console=Console(stderr=True),
        refresh_per_second=_DRAWINGS_PER_SECOND,
        transient=True,
        redirect_stdout=False,
    )
    progress.add_task("", total=None if share is None else 1.0, text=text)
    progress.start()
    # rich hides the cursor, and a process that is killed could never bring it back.
    progress.console.show_cursor(True)
    return progress


def as_time(seconds: float) -> str:
    """Return minutes and seconds, with hours where there are any.

    >>> as_time(75.2), as_time(7384)
    ('1:15', '2:03:04')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
