"""Fuzz every target in a separate process and write the results.

``python -m fuzz.run --seconds 60 --output results/fuzz.json``, with ``--only NAME --add`` for some of them.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from benchmarks.machine import ROOT, aligned, origin, write_result
from fuzz.targets import LONGEST_INPUT, Target, targets

CRASHES: Final = Path(__file__).parent / "corpus" / "crashes"
SECONDS_AN_INPUT: Final = 10
_MEMORY_MB: Final = 3000
_SEED: Final = 1
_MEMORY_FOLDER: Final = Path("/dev/shm")
_UNITS: Final = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
_PROGRESS: Final = re.compile(r"^#(\d+)\s.*?\bcov: (\d+)", re.MULTILINE)
_SLOWEST: Final = re.compile(r"stat::slowest_unit_time_sec:\s*(\d+)")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of fuzzing one target; ``crashes`` lists all distinct failures, including hangs and lost processes."""

    target: str
    inputs: int
    edges: int
    seconds: float
    slowest_input_seconds: int
    crashes: list[str]


def fuzz(target: Target, seconds: int, crashes: Path) -> Outcome:
    """Fuzz one target for about ``seconds``; a process that dies is restarted for the remaining time."""
    crashes.mkdir(parents=True, exist_ok=True)
    inputs = edges = slowest = 0
    lost: list[str] = []
    begin = time.monotonic()
    with _seeded(target) as (corpus, scratch):
        while (left := seconds - (time.monotonic() - begin)) >= 1 and len(lost) < 5:
            code, log = _run(target, max(1, round(left)), (corpus, scratch, crashes))
            progress = [(int(done), int(covered)) for done, covered in _PROGRESS.findall(log)]
            total = _UNITS.search(log)
            inputs += int(total[1]) if total else max((done for done, _ in progress), default=0)
            edges = max([edges, *(covered for _, covered in progress)])
            slowest = max([slowest, *map(int, _SLOWEST.findall(log))])
            if code != 0:
                lost.append(f"the process ended with code {code}")
                (crashes / f"lost-{len(lost)}.log").write_text(log[-20_000:], encoding="utf-8")
    found = [path.read_text(encoding="utf-8").strip().splitlines()[-1] for path in sorted(crashes.glob("*.txt"))]
    return Outcome(target.name, inputs, edges, round(time.monotonic() - begin, 1), slowest, found + lost)


@contextmanager
def _seeded(target: Target) -> Iterator[tuple[Path, Path]]:
    """Yield a folder with the target's seeds and one for its files, both in memory if possible."""
    with tempfile.TemporaryDirectory(dir=_MEMORY_FOLDER if _MEMORY_FOLDER.is_dir() else None) as folder:
        corpus, scratch = Path(folder) / "corpus", Path(folder) / "scratch"
        corpus.mkdir()
        scratch.mkdir()
        for number, seed in enumerate(target.seeds()):
            (corpus / f"seed-{number:03}").write_bytes(seed)
        yield corpus, scratch


def _run(target: Target, seconds: int, folders: tuple[Path, Path, Path]) -> tuple[int, str]:
    corpus, scratch, crashes = folders
    command = [
        *(sys.executable, "-m", "fuzz.worker", target.name, str(crashes), str(corpus)),
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        f"-timeout={SECONDS_AN_INPUT}",
        f"-rss_limit_mb={_MEMORY_MB}",
        f"-seed={_SEED}",
        f"-artifact_prefix={crashes}/",
        "-print_final_stats=1",
    ]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def main() -> int:
    """Run from the command line; the exit code is 1 if anything was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--only", action="append", choices=list(targets()))
    parser.add_argument("--add", action="store_true", help="keep what the file has of the other targets")
    arguments = parser.parse_args()
    outcomes = []
    for name, target in targets().items():
        if arguments.only is None or name in arguments.only:
            print(f"{name} ...", file=sys.stderr)
            outcomes.append(fuzz(target, arguments.seconds, CRASHES / name))
    header = ["target", "inputs", "edges", "seconds", "slowest s", "crashes"]
    rows = [[o.target, f"{o.inputs:,}", o.edges, o.seconds, o.slowest_input_seconds, len(o.crashes)] for o in outcomes]
    print(aligned([header, *rows]))
    facts = origin(("atheris", "msgspec", "pyarrow", "spacy"), seed=_SEED)
    limits = {"bytes": LONGEST_INPUT, "seconds": SECONDS_AN_INPUT, "memory_mb": _MEMORY_MB}
    found = {outcome.target: {**asdict(outcome), "commit": facts["commit"]} for outcome in outcomes}
    if arguments.add and arguments.output.exists():
        earlier = json.loads(arguments.output.read_text(encoding="utf-8"))
        found = {row["target"]: {"commit": earlier["commit"], **row} for row in earlier["targets"]} | found
    write_result(arguments.output, {**facts, "limits": limits, "targets": [found[name] for name in sorted(found)]})
    return 1 if any(outcome.crashes for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
