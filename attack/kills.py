"""Trainings of every method are killed again and again, resumed, and must end like unbroken ones, byte for byte.

Moments are drawn as shares of the processor time that the unbroken run needed, so that they do not depend on what else
the machine does, or are those at which a file is half-written. A part of the kills hits a worker process only.
"""

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trustag.pipeline  # noqa: F401 - so that it is loaded once, before children are made
from attack.here import started
from attack.law import Ending, breach
from attack.small import TRAININGS, Training, write_corpus
from benchmarks.killing import outcome, wait_for_end_of, workers_of
from trustag.text.sentences import Sentence

KILLS: Final = {  # at least so many of each kind of run
    "bilstm-crf": 40,
    "noise-adaptation": 30,
    "cbl": 30,
    "self-training": 24,
    "confidence": 24,
    "confidence with trusted sentences": 12,
}
STRIKES_A_RUN: Final = 6
_SECONDS_BETWEEN_LOOKS: Final = 0.002
_LONGEST_WAIT: Final = 900.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Kill:
    """One kill: what it hit, what was aimed at, and whether a file was then half-written."""

    hits: str
    aim: str
    half_written: bool


@dataclass(slots=True)
class KilledRuns:
    """What became of the broken runs of one kind of training."""

    kills: list[Kill] = field(default_factory=list)
    runs: int = 0
    broken: list[str] = field(default_factory=list)

    def facts(self) -> dict[str, object]:
        """Return it as a part of a result file."""
        return {
            "kills": len(self.kills),
            "worker_kills": sum(kill.hits == "worker" for kill in self.kills),
            "half_written": sum(kill.half_written for kill in self.kills),
            "aims": dict(Counter(kill.aim for kill in self.kills)),
            "runs": self.runs,
            "broken": self.broken,
        }


class Victim:
    """A training that is begun, or resumed, as often as needed."""

    def __init__(self, training: Training, folder: Path, output: Path) -> None:
        self.training = training
        self.folder = folder
        self.output = output
        self.log = folder / "victim.log"

    def strike(self, rng: random.Random, cost: float) -> Kill | None:
        """Kill it, or a worker of it, at a drawn moment; return None if it ended before."""
        aim = rng.choice(["a drawn moment", "a drawn moment", "a file half-written"])
        hits = rng.choice(["main", "main", "worker"])
        moment, turn = rng.uniform(0.02, cost / 2), rng.randint(1, 6)
        process = started(self._command(), self.log)
        seen: set[str] = set()
        began = time.monotonic()
        while (status := _ended(process)) is None and time.monotonic() - began < _LONGEST_WAIT:
            if aim == "a file half-written":
                seen.update(self._half_written())
                if len(seen) >= turn:
                    break
            elif processor_time(process) >= moment:
                break
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        if status is not None:
            return None
        workers = workers_of(process)
        if hits == "worker" and workers:
            victim = rng.choice(workers)
            is_hit = _kill(victim)
            half_written = bool(self._half_written())
            time.sleep(rng.uniform(0, 1))  # the worker is replaced; then the whole run is killed, too
        else:
            hits, is_hit, half_written = "main", True, bool(self._half_written())
        workers = workers_of(process)
        _kill(process)
        _, code = os.waitpid(process, 0)
        wait_for_end_of(workers)
        is_hit = is_hit and (hits == "worker" or os.waitstatus_to_exitcode(code) == -signal.SIGKILL)
        return Kill(hits, aim, half_written) if is_hit else None

    def finish(self) -> Ending:
        """Let it end."""
        self.log.write_bytes(b"")
        _, status = os.waitpid(started(self._command(), self.log), 0)
        return Ending(os.waitstatus_to_exitcode(status), "", self.log.read_text(encoding="utf-8"))

    def _half_written(self) -> list[str]:
        try:
            return [str(path) for path in self.output.rglob(".*")]
        except OSError:  # a folder was gone between two looks
            return []

    def _command(self) -> list[str]:
        resume = ["--resume"] if self.output.exists() else []
        return [*self.training.arguments(self.folder, self.output), "--workers", "2", *resume]


def _ended(process: int) -> int | None:
    """Return the status of a child that has ended; None if it still runs."""
    child, status = os.waitpid(process, os.WNOHANG)
    return status if child else None


def processor_time(process: int) -> float:
    """Return the processor time that a process and its workers have used so far."""
    total = 0
    for one in (process, *workers_of(process)):
        try:
            fields = Path(f"/proc/{one}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
        except OSError:
            continue
    return total / _TICKS


def _kill(process: int) -> bool:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def broken_runs(training: Training, kills: int, rng: random.Random, folder: Path) -> KilledRuns:
    """Break runs of one training until enough kills have hit, and compare how they end with an unbroken one."""
    sentences = write_corpus(folder)
    unbroken = Victim(training, folder, folder / "unbroken")
    before = os.times()
    ending = unbroken.finish()
    after = os.times()
    cost = after.children_user + after.children_system - before.children_user - before.children_system
    print(training.name, f"{cost:.1f} s", file=sys.stderr, flush=True)
    if ending.code:
        raise RuntimeError(ending.said)
    expected = outcome(unbroken.output, sentences)
    found = KilledRuns()
    while len(found.kills) < kills:
        found.runs += 1
        victim = Victim(training, folder, folder / "broken")
        strikes = [victim.strike(rng, cost) for _ in range(STRIKES_A_RUN)]
        found.kills += [kill for kill in strikes if kill is not None]
        wrong = _difference(victim, expected, sentences)
        if wrong:
            found.broken.append(wrong)
        print(training.name, len(found.kills), "kills", wrong or "equal", file=sys.stderr, flush=True)
        shutil.rmtree(victim.output)
    return found


def _difference(victim: Victim, expected: dict[str, str], sentences: list[Sentence]) -> str:
    ending = victim.finish()
    wrong = breach(ending)
    if wrong or ending.code:
        return wrong or ending.said[-500:]
    got = outcome(victim.output, sentences)
    return ", ".join(sorted(name for name in {*got, *expected} if got.get(name) != expected.get(name)))


def attack(seed: int, share: float) -> Iterator[dict[str, object]]:
    """Break runs of every kind, ``share`` of the kills each, and yield what became of them."""
    for training in TRAININGS:
        with tempfile.TemporaryDirectory() as folder:
            kills = max(1, round(KILLS[training.name] * share))
            yield {training.name: broken_runs(training, kills, random.Random(seed), Path(folder)).facts()}
