"""Run the command line as a user does, and measure what a command costs."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence


def trustag(*arguments: str, typed: str = "") -> str:
    """Return what a command prints; a failure is raised with what it said."""
    command = [sys.executable, "-m", "trustag", *arguments]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def measured(arguments: Sequence[str]) -> tuple[str, float]:
    """Return what a command prints, and the processor time that it and its workers used."""
    command = [sys.executable, "-m", "trustag", *arguments]
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=printed, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        said.seek(0)
        if process.returncode:
            raise RuntimeError(said.read())
        return printed.read(), used.ru_utime + used.ru_stime
