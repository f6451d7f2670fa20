"""Memory that is used up at any moment: the limit on addresses of a running process, and of its workers, is lowered."""

import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import trustag.pipeline  # noqa: F401 - so that it is loaded once, before children are made
from attack.here import started
from attack.kills import processor_time
from attack.law import Ending, Tally
from attack.small import Training, trainings, write_corpus
from attack.writing import writings
from benchmarks.killing import outcome, wait_for_end_of, workers_of

TRIES: Final = {"bilstm-crf": 40, "noise-adaptation": 20, "cbl": 20, "self-training": 8, "confidence": 8}
_ROOM: Final = (0, 1 << 16, 1 << 20, 4 << 20, 16 << 20, 64 << 20)  # left beyond what is in use
_SECONDS_BETWEEN_LOOKS: Final = 0.002
_LONGEST_RUN: Final = 300.0


def limit(process: int, room: int) -> None:
    """Leave a process no more addresses than it has, and ``room``."""
    try:
        in_use = int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
        resource.prlimit(process, resource.RLIMIT_AS, (in_use + room, resource.RLIM_INFINITY))
    except (OSError, IndexError):  # it has ended
        return


def limited(arguments: list[str], log: Path, moment: float, room: int) -> Ending:
    """Run a command whose memory ends after ``moment`` seconds of processor time, and that of its workers."""
    log.write_bytes(b"")
    process = started(arguments, log)
    began, ended = time.monotonic(), (0, 0)
    while processor_time(process) < moment and ended[0] == 0:
        ended = os.waitpid(process, os.WNOHANG)
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    for one in (process, *workers_of(process)):
        limit(one, room)
    while ended[0] == 0 and time.monotonic() - began < _LONGEST_RUN:
        ended = os.waitpid(process, os.WNOHANG)
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    if ended[0] == 0:
        workers = workers_of(process)
        os.kill(process, signal.SIGKILL)
        ended = os.waitpid(process, 0)
        wait_for_end_of(workers)
        return Ending(124, "", f"no end after {_LONGEST_RUN} s\n{log.read_text(encoding='utf-8', errors='replace')}")
    return Ending(os.waitstatus_to_exitcode(ended[1]), "", log.read_text(encoding="utf-8", errors="replace"))


def _trainings(training: Training, tally: Tally, folder: Path, rng: random.Random, tries: int) -> None:
    sentences = write_corpus(folder)
    log = folder / "command.log"
    command = [*training.arguments(folder, folder / "unbroken"), "--workers", "1"]
    before = os.times()
    ending = limited(command, log, 1e9, 0)
    cost = sum(os.times()[2:4]) - sum(before[2:4])
    if ending.code:
        raise RuntimeError(ending.said)
    expected = outcome(folder / "unbroken", sentences)
    for number in range(tries):
        output = folder / "run"
        command = [*training.arguments(folder, output), "--workers", "2" if number % 4 == 3 else "1"]
        moment, room = rng.uniform(0, cost), rng.choice(_ROOM)
        what = f"{training.name}, {room} bytes left after {moment:.2f} s"
        tally.count(training.name, what, limited(command, log, moment, room))
        resumed = limited([*command, "--resume"] if output.exists() else command, log, 1e9, 0)
        same = resumed.code == 0 and outcome(output, sentences) == expected
        tally.count(f"{training.name}, resumed", f"{what}, resumed", resumed, None if same else "differs")
        shutil.rmtree(output)


def attack(seed: int, share: float) -> Iterator[dict[str, object]]:
    """Use up the memory of every command at drawn moments, and yield what became of it."""
    rng, tally = random.Random(seed), Tally()
    for training in trainings(share):
        with tempfile.TemporaryDirectory() as name:
            tries = round(TRIES.get(training.name, 4) * share)
            _trainings(training, tally, Path(name), rng, max(1, tries))
        print(training.name, len(tally.broken), file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        target, log = folder / "target", folder / "command.log"
        for writing in writings(folder):
            for _ in range(max(1, round(6 * share))):
                target.mkdir()
                moment, room = rng.uniform(0, 0.3), rng.choice(_ROOM)
                ending = limited(writing.command(target), log, moment, room)
                hidden = [str(path) for path in target.rglob(".*") if path.is_file()]
                finding = f"left {hidden}" if hidden else None
                tally.count(writing.name, f"{writing.name}, {room} bytes left after {moment:.2f} s", ending, finding)
                shutil.rmtree(target)
    yield tally.facts()
