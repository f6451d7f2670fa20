"""Another version of the package at work: a training by the package in some checkout, with its CPU time and commit."""

import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def cpu_seconds(source: Path, *arguments: str) -> float:
    """Return the CPU time of one call of ``trustag`` with the package in ``source``, workers included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "trustag", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commits(sources: Mapping[str, Path]) -> dict[str, str]:
    """Return the commit that each checkout is at; what was changed in it since is named with it."""
    return {name: _git(source, "describe", "--always", "--abbrev=40", "--dirty") for name, source in sources.items()}


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()
