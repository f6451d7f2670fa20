"""A disk that is full at every file: file systems in memory with room for so many files or bytes, and no more."""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attack.commands import finished
from attack.law import Tally
from attack.small import TRAININGS, trainings, write_corpus
from attack.writing import contents, writings
from benchmarks.killing import outcome

_WAYS: Final = 8  # of a training other than the quickest
_PAGE: Final = 4096
_ROOM: Final = "size=200m,nr_inodes=100000"


@contextmanager
def small_disk(place: Path, options: str) -> Iterator[Path]:
    """Yield a folder on a file system of its own, made with ``options``."""
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def _grow(place: Path) -> None:
    subprocess.run(["mount", "-o", f"remount,{_ROOM}", str(place)], check=True)


def _used(place: Path) -> tuple[int, int]:
    """Return how many bytes and files a file system holds."""
    facts = os.statvfs(place)
    return (facts.f_blocks - facts.f_bfree) * facts.f_frsize, facts.f_files - facts.f_ffree


def _sizes(used: tuple[int, int], rng: random.Random, most: int) -> list[str]:
    """Return too small sizes for what uses so much: every number of files, and a size for every two pages."""
    space, files = used
    sizes = [f"size=200m,nr_inodes={count}" for count in range(1, files)]
    sizes += [f"size={size},nr_inodes=100000" for size in range(_PAGE, space, 2 * _PAGE)]
    return sizes if len(sizes) <= most else rng.sample(sizes, most)


def attack_commands(folder: Path, rng: random.Random, share: float) -> Tally:
    """Have every command that writes find the disk full; it leaves nothing, and says so."""
    tally, log = Tally(), folder / "command.log"
    made = folder / "made"
    made.mkdir()
    for writing in writings(made):
        with small_disk(folder / "disk", _ROOM) as disk:
            finished(writing.command(disk), log)
            used = _used(disk)
        for size in _sizes(used, rng, max(1, round(10 * share))):
            with small_disk(folder / "disk", size) as disk:
                ending = finished(writing.command(disk), log)
                left = sorted(contents(disk))
                hidden = [path for path in disk.rglob(".*") if path.is_file()]
            is_partial = ending.code != 0 and left and not writing.name.startswith("apply")
            finding = f"left {left} {hidden}" if is_partial or hidden else None
            tally.count(writing.name, f"{writing.name}, {size}", ending, finding)
    return tally


def attack_training(folder: Path, rng: random.Random, share: float) -> Tally:
    """Have trainings find the disk full at every file; with more room they are resumed, and end like others."""
    tally, log = Tally(), folder / "command.log"
    sentences = write_corpus(folder)
    for training in trainings(share):
        with small_disk(folder / "disk", _ROOM) as disk:
            command = [*training.arguments(folder, disk / "run"), "--workers", "1"]
            ending = finished(command, log)
            if ending.code:
                raise RuntimeError(ending.said)
            used, expected = _used(disk), outcome(disk / "run", sentences)
        most = 1_000 if training is TRAININGS[0] else _WAYS
        for size in _sizes(used, rng, max(1, round(most * share))):
            with small_disk(folder / "disk", size) as disk:
                ending = finished(command, log)
                tally.count(training.name, f"{training.name}, {size}", ending)
                _grow(disk)
                resumed = finished([*command, "--resume"] if (disk / "run").exists() else command, log)
                same = resumed.code == 0 and outcome(disk / "run", sentences) == expected
                tally.count(
                    f"{training.name}, resumed",
                    f"{training.name}, {size}, resumed",
                    resumed,
                    None if same else "differs",
                )
        print(training.name, len(tally.broken), file=sys.stderr, flush=True)
    return tally


def attack(seed: int, share: float) -> Iterator[dict[str, object]]:
    """Fill the disk of everything that writes, and yield what became of it."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        yield {"commands": attack_commands(Path(one), rng, share).facts()}
        yield {"trainings": attack_training(Path(other), rng, share).facts()}
