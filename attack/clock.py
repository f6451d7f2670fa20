"""Clocks that are wrong, and set back while a command works: results must not depend on them, nor decisions be lost.

Needs libfaketime (Debian: ``faketime``).
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attack.law import Ending, Tally, run
from attack.small import TRAININGS, Training, write_corpus
from attack.writing import writings
from benchmarks.killing import outcome
from trustag.text.sentences import Sentence

_CLOCKS: Final = ("@1970-01-02 00:00:00", "@1999-12-31 23:59:58", "@2038-02-01 00:00:00", "@2200-01-01 00:00:00")
_NOW: Final = "+0d"
_TEN_YEARS_AGO: Final = "-3650d"
_LIBRARIES: Final = ("/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib/faketime/libfaketime.so.1")
_LONGEST_WAIT: Final = 600.0


def with_clock(clock: Path) -> dict[str, str]:
    """Return the environment of a process whose clock is as ``clock`` says, at any moment."""
    library = next((path for pattern in _LIBRARIES for path in Path("/").glob(pattern[1:])), None)
    if library is None:
        raise RuntimeError("no libfaketime; apt-get install faketime")
    return {
        **os.environ,
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


class _Turned:
    """Trainings under other clocks, each compared with one under the right clock."""

    def __init__(self, training: Training, folder: Path, tally: Tally) -> None:
        self.training = training
        self.folder = folder
        self.tally = tally
        self.clock = folder / "clock"
        self.environment = with_clock(self.clock)
        self.expected: dict[str, str] = {}
        self.sentences: list[Sentence] = []

    def measure(self) -> None:
        """Train under the right clock, then under every other."""
        self.sentences = write_corpus(self.folder)
        right = self.folder / "right"
        ending = run(*self._command(right))
        if ending.code:
            raise RuntimeError(ending.said)
        self.expected = outcome(right, self.sentences)
        for clock in _CLOCKS:
            self.clock.write_text(clock, encoding="utf-8")
            self._count("a wrong clock", clock, run(*self._command(self._run()), environment=self.environment))
        self._set_back()
        self._set_back_and_resumed()

    def _set_back(self) -> None:
        """Set the clock back while the training runs."""
        self.clock.write_text(_NOW, encoding="utf-8")
        process = self._begun()
        self.clock.write_text(_TEN_YEARS_AGO, encoding="utf-8")
        said = process.communicate(timeout=_LONGEST_WAIT)[1]
        ending = Ending(process.returncode, "", said.decode(errors="replace"))
        self._count("set back while it trains", _TEN_YEARS_AGO, ending)

    def _set_back_and_resumed(self) -> None:
        """Kill the training, set the clock back, and resume it."""
        self.clock.write_text(_NOW, encoding="utf-8")
        process = self._begun()
        process.kill()
        process.communicate()
        self.clock.write_text(_TEN_YEARS_AGO, encoding="utf-8")
        ending = run(*self._command(self._run()), "--resume", environment=self.environment)
        self._count("set back before it is resumed", _TEN_YEARS_AGO, ending)

    def _begun(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "trustag", *self._command(self._run())]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment)
        began = time.monotonic()
        while not any(self._run().glob("jobs/**/metrics.jsonl")) and time.monotonic() - began < _LONGEST_WAIT:
            time.sleep(0.01)
        return process

    def _run(self) -> Path:
        return self.folder / "run"

    def _command(self, output: Path) -> list[str]:
        return [*self.training.arguments(self.folder, output), "--workers", "1"]

    def _count(self, kind: str, clock: str, ending: Ending) -> None:
        found = outcome(self._run(), self.sentences) if ending.code == 0 else {}
        differing = sorted(name for name in {*found, *self.expected} if found.get(name) != self.expected.get(name))
        finding = f"ends otherwise: {differing}" if differing else None
        self.tally.count(kind, f"{self.training.name}, {kind}, {clock}", ending, finding)
        shutil.rmtree(self._run(), ignore_errors=True)


def attack(seed: int, share: float) -> Iterator[dict[str, object]]:  # noqa: ARG001 - nothing is drawn
    """Run trainings and every command that writes under wrong clocks, and yield what became of it."""
    tally = Tally()
    chosen = [one for one in TRAININGS if one.name in {"bilstm-crf", "confidence"}]
    for training in chosen[: max(1, round(2 * share))]:
        with tempfile.TemporaryDirectory() as name:
            _Turned(training, Path(name), tally).measure()
    with tempfile.TemporaryDirectory() as name:
        folder, target = Path(name), Path(name) / "target"
        target.mkdir()
        environment = with_clock(folder / "clock")
        for number, writing in enumerate(writings(folder)):
            clock = _CLOCKS[number % len(_CLOCKS)]
            (folder / "clock").write_text(clock, encoding="utf-8")
            ending = run(*writing.command(target), environment=environment)
            finding = None if (target / writing.output).exists() else "wrote nothing"
            tally.count(writing.name, f"{writing.name}, {clock}", ending, finding)
    yield tally.facts()
