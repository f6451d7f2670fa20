"""Thousands of commands a minute: the command line in a process that has everything imported and limits of its own."""

import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, NoReturn

from attack.law import Ending
from trustag.cli import main

_LONGEST_TRY: Final = 60  # seconds
_MEMORY: Final = 8 << 30  # of addresses, of which torch maps some gigabytes


class TooLongError(BaseException):
    """A command took longer than any of these may."""


def run_here(arguments: Sequence[str | Path]) -> Ending:
    """Return how a command ended that ran in this process."""
    with (
        tempfile.TemporaryFile("w+", errors="replace") as printed,
        tempfile.TemporaryFile("w+", errors="replace") as said,
    ):
        kept = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = printed, said
        signal.signal(signal.SIGALRM, _stop)
        signal.alarm(_LONGEST_TRY)
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0
        except TooLongError:
            code = 124
        except BaseException:  # noqa: BLE001 - any of them is a finding
            said.write(traceback.format_exc())
            code = 99
        finally:
            signal.alarm(0)
            sys.stdout, sys.stderr = kept
        for stream in (printed, said):
            stream.flush()
            stream.seek(0)
        return Ending(code, printed.read(), said.read())


def _stop(signal_number: int, frame: object) -> NoReturn:  # noqa: ARG001 - as signals call it
    raise TooLongError


def started(arguments: Sequence[str | Path], log: Path) -> int:
    """Start a command in a child process that has everything imported, and return its number; it appends to ``log``."""
    child = os.fork()
    if child:
        return child
    os.setpgid(0, 0)
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
    except BaseException:  # noqa: BLE001 - any of them is a finding
        traceback.print_exc()
        code = 99
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def in_children(attempt: Callable[[int], Ending], count: int) -> Iterator[tuple[int, Ending]]:
    """Yield how each of ``count`` attempts ended; they are made in child processes, as many as die of them."""
    number = 0
    while number < count:
        receiver, sender = multiprocessing.Pipe(duplex=False)
        child = os.fork()
        if child == 0:
            receiver.close()
            _child(attempt, range(number, count), sender)
        sender.close()
        while number < count:
            try:
                yield number, receiver.recv()
            except EOFError:
                break
            number += 1
        _, status = os.waitpid(child, 0)
        if number < count:  # it died of this one
            yield number, Ending(os.waitstatus_to_exitcode(status), "", "the process died")
            number += 1


def _child(attempt: Callable[[int], Ending], numbers: range, sender: Connection) -> NoReturn:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        for number in numbers:
            sender.send(attempt(number))
    finally:
        sender.close()
        os._exit(0)
