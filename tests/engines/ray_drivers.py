"""Programs that use a Ray cluster, each to be run in a process of its own."""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import torch

from tests.engines import work
from tests.training.small import run_rounds
from trustag.engines.ray_cluster import RayCluster


def where() -> tuple[str, str, int]:
    """Return the working folder, the temporary folder and the process of this task."""
    return str(Path.cwd()), os.environ["TMPDIR"], os.getpid()


def read(path: Path, numbers: torch.Tensor, words: tuple[str, ...]) -> tuple[str, str, float, int]:
    return str(path), path.read_text(), numbers.sum().item(), len(words)


def leave(content: str, folder: Path) -> str:
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "file").write_text(content)
    return str(folder)


def basics(address: str, folder: Path) -> None:
    """Print what tasks see, return and leave."""
    (folder / "given.txt").write_text("given")
    numbers, words = torch.ones(100_000), tuple(map(str, range(10_000)))
    with RayCluster(address) as engine:
        places = [engine.submit(where).result() for _ in range(3)]
        reads = [engine.submit(read, folder / "given.txt", numbers, words) for _ in range(6)]
        left = [engine.submit_into(folder / "left" / name, leave, name) for name in ("one", "two")]
        failing = [engine.submit(work.fail, "the message"), engine.submit(work.need_extra)]
        found = {
            "places": places,
            "reads": [one.result() for one in reads],
            "left": [one.result() for one in left],
            "errors": [repr(one.exception()) for one in failing],
            "pieces": len(engine._pieces),
            "double": engine.submit(work.double, number=4).result(),
        }
    sys.stdout.write(json.dumps(found))


def rounds(address: str, folder: Path) -> None:
    """Train the method with rounds, or continue."""
    with RayCluster(address) as engine:
        run_rounds(folder / "run", engine=engine, resume=True)


def stopped(address: str, folder: Path) -> None:
    """Leave the block with an error while a task runs."""
    with suppress(KeyError), RayCluster(address) as engine:
        engine.submit(time.sleep, 600)
        raise KeyError(folder)
    sys.stdout.write(json.dumps("stopped"))


PROGRAMS: dict[str, Callable[[str, Path], None]] = {"basics": basics, "rounds": rounds, "stopped": stopped}


def main() -> None:
    PROGRAMS[sys.argv[1]](sys.argv[2], Path(sys.argv[3]))
