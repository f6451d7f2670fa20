"""Commands that write are killed at drawn moments; what they leave is whole, or not there."""

import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attack.here import started
from attack.law import Ending, breach
from attack.writing import Writing, contents, writings

KILLS: Final = 6  # of each command, half of them while it replaces an older file


def _wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def finished(arguments: list[str], log: Path) -> Ending:
    """Return how a command ended in a child process; what it says goes through ``log``."""
    log.write_bytes(b"")
    return ended(started(arguments, log), log)


def ended(child: int, log: Path) -> Ending:
    """Return how a child process ended, once it has."""
    return Ending(_wait(child), "", log.read_text(encoding="utf-8", errors="replace"))


def _same(found: dict[str, bytes], expected: dict[str, bytes]) -> bool:
    """Tell whether two outputs are equal, but for the times that pages and pictures show."""
    return found.keys() == expected.keys() and all(
        found[name] == expected[name] or Path(name).suffix in {".html", ".pdf", ".png", ".svg"} for name in found
    )


def _struck(arguments: list[str], log: Path, seconds: float) -> bool:
    """Kill a command after so many seconds; tell whether it was still at work."""
    child = started(arguments, log)
    time.sleep(seconds)
    os.kill(child, 9)
    return _wait(child) == -9


class _Workplace:
    """Where one command writes, again and again, and how long it takes."""

    def __init__(self, writing: Writing, folder: Path) -> None:
        self.writing = writing
        self.target = folder / "target"
        self.log = folder / "command.log"
        self.target.mkdir()
        began = time.monotonic()
        ending = finished(writing.command(self.target), self.log)
        self.seconds = time.monotonic() - began
        if ending.code:
            raise RuntimeError(f"{writing.name}: {ending.said}")
        self.expected = contents(self.target)

    def attempt(self, rng: random.Random, *, replaces: bool) -> tuple[bool, str]:
        """Kill the command once; return whether that hit, and what is wrong with what it left."""
        more = ["--overwrite"] if replaces else []
        if not replaces:
            shutil.rmtree(self.target)
            self.target.mkdir()
        is_hit = _struck(self.writing.command(self.target, *more), self.log, rng.random() * self.seconds)
        left = contents(self.target)
        if left and not _same(left, self.expected) and not self._is_first_part(left):
            return is_hit, f"left {sorted(left)} half-written"
        ending = finished(self.writing.command(self.target, "--overwrite"), self.log)
        wrong = breach(ending) or ("" if ending.code == 0 else ending.said[-300:])
        if not wrong and not _same(contents(self.target), self.expected):
            wrong = "the next call ends otherwise"
        return is_hit, wrong

    def _is_first_part(self, left: dict[str, bytes]) -> bool:
        """Tell whether some of several files are there, each of them whole."""
        return left.keys() < self.expected.keys() and all(left[name] == self.expected[name] for name in left)


def attack(seed: int, share: float) -> Iterator[dict[str, object]]:
    """Kill every command that writes, and yield what became of it."""
    with tempfile.TemporaryDirectory() as name:
        made = Path(name) / "made"
        made.mkdir()
        for writing in writings(made):
            rng = random.Random(f"{seed} {writing.name}")
            broken = []
            hits = tries = 0
            with tempfile.TemporaryDirectory(dir=name) as place:
                workplace = _Workplace(writing, Path(place))
                while hits < max(1, round(KILLS * share)) and tries < 4 * KILLS:
                    is_hit, wrong = workplace.attempt(rng, replaces=tries % 2 == 1)
                    hits, tries = hits + is_hit, tries + 1
                    broken += [f"{writing.name}: {wrong}"] if wrong else []
            yield {writing.name: {"kills": hits, "tries": tries, "broken": broken}}
            print(writing.name, hits, broken, file=sys.stderr, flush=True)
