"""Notes for the user: the first of each kind on standard error with counts, all of them in a file on request."""

import contextlib
import sys
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final

import click
import msgspec

from trustag.files.outputs import new_file
from trustag.notes import Note

_SHOWN: Final = 10


class NotesOnScreen:
    """Collects notes while a command works and shows them at its end; a context manager."""

    def __init__(self, file: Path | None, *, quiet: bool) -> None:
        self.file = file
        self.quiet = quiet
        self.shown: list[Note] = []
        self.counts: Counter[tuple[str, str]] = Counter()
        self._stack = contextlib.ExitStack()
        self._stream: BinaryIO | None = None

    def __call__(self, note: Note) -> None:
        """Record one note."""
        key = (note.kind, note.reason)
        self.counts[key] += 1
        if self.counts[key] <= _SHOWN:
            self.shown.append(note)
        if self._stream is not None:
            self._stream.write(msgspec.json.encode(_record(note)) + b"\n")

    def __enter__(self) -> "NotesOnScreen":
        if self.file is not None:
            self._stream = self._stack.enter_context(new_file(self.file, overwrite=True))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)
        self._stream = None
        if error is None and not self.quiet:
            self._say()

    def as_counts(self) -> list[dict[str, object]]:
        """Return the number of notes of each kind."""
        return [{"kind": kind, "reason": reason, "count": count} for (kind, reason), count in self.counts.items()]

    def say_now(self) -> None:
        """Show the notes so far, before work that takes long."""
        if not self.quiet:
            for note in self.shown:
                click.echo(f"  {note}", file=sys.stderr)  # above a progress bar, if there is one
        self.shown.clear()

    def _say(self) -> None:
        self.say_now()
        for (kind, reason), count in self.counts.items():
            if count > _SHOWN:
                rest = f"all are in {self.file}" if self.file else "write all with --notes FILE"
                click.echo(f"  {kind}: {reason}: {count:,} in total, {_SHOWN} shown; {rest}", file=sys.stderr)


def _record(note: Note) -> dict[str, object]:
    source = note.source
    return {
        "file": source.file if source else None,
        "record" if source and source.is_record else "line": source.line if source else None,
        "kind": note.kind,
        "reason": note.reason,
        "detail": note.detail,
    }


def notes_option(command: Any) -> Any:
    """Give ``command`` the options ``--notes`` and ``--quiet``, passed to it as ``notes``."""

    def gather(context: click.Context, parameter: click.Parameter, value: Path | None) -> NotesOnScreen:  # noqa: ARG001
        return NotesOnScreen(value, quiet=bool(context.params.pop("quiet", False)))

    command = click.option(
        "--notes",
        type=click.Path(path_type=Path),
        callback=gather,
        help="Also write every note (repairs, drops, unsupported fields) to this file as JSON lines.",
    )(command)
    return click.option(
        "-q", "--quiet", is_flag=True, is_eager=True, help="Print no notes and no progress on standard error."
    )(command)
