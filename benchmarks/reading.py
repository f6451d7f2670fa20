"""How fast CoNLL text is read, beside other readers, and how much memory a conversion takes.

``python -m benchmarks.reading --data FOLDER --output results/reading.json``. Every reader has a process of its own;
they take turns, and the least CPU time of several turns counts. flair needs older libraries than the others: name an
interpreter that has it with ``--flair``, else it is left out.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from benchmarks.machine import ROOT, aligned, origin, write_result

CORPUS: Final = Path("conll03_en/train.txt")
TIMES_LARGER: Final = 50
TURNS: Final = {"corpus": 15, "large": 3}
OURS: Final = ("trustag", "trustag, one sentence at a time")
PEERS: Final = ("datasets", "datasets, as lists", "nltk", "flair")
TOO_SLOW_FOR_LARGE: Final = ("flair",)
SPEED_GOAL: Final = 3.0
MEMORY_GOAL_MB: Final = 300
LINEAR_GOAL: Final = 1.5


@dataclass(frozen=True, slots=True)
class Timing:
    """The least CPU seconds of several turns, and what was read."""

    seconds: float
    sentences: int
    tokens: int

    @property
    def nanoseconds_a_token(self) -> float:
        """The cost of one token."""
        return self.seconds / self.tokens * 1e9


def time_readers(interpreters: Mapping[str, str], path: Path, turns: int) -> dict[str, Timing]:
    """Return the best of ``turns`` readings of ``path`` by every reader, taken in turn."""
    best: dict[str, Timing] = {}
    with ExitStack() as stack:
        workers = {name: stack.enter_context(_worker(name, python)) for name, python in interpreters.items()}
        for _ in range(turns):
            for name, worker in workers.items():
                timing = _ask(worker, path)
                if name not in best or timing.seconds < best[name].seconds:
                    best[name] = timing
    return best


@contextmanager
def _worker(name: str, python: str) -> Iterator["subprocess.Popen[str]"]:
    command = [python, "-m", "benchmarks.readers", name]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as worker:
        yield worker
        if worker.stdin is not None:
            worker.stdin.close()


def _ask(worker: "subprocess.Popen[str]", path: Path) -> Timing:
    if worker.stdin is None or worker.stdout is None:
        raise RuntimeError("a worker without pipes")
    worker.stdin.write(f"{path}\n")
    worker.stdin.flush()
    answer = json.loads(worker.stdout.readline())
    return Timing(answer["seconds"], answer["sentences"], answer["tokens"])


def _version_in(python: str, package: str) -> str:
    """Return the version of a package that another interpreter has."""
    ask = f"import importlib.metadata; print(importlib.metadata.version({package!r}))"
    return subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()


def peak_memory_mb(*arguments: str) -> float:
    """Return the most memory that a command of ours held at any time."""
    process = subprocess.Popen([sys.executable, "-m", "trustag", *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"trustag {' '.join(arguments)} failed")
    return round(usage.ru_maxrss / 1024, 1)


def measure(corpus: Path, flair: str | None) -> dict[str, object]:
    """Return every figure for ``corpus`` and for a text that repeats it many times."""
    interpreters = {name: sys.executable for name in (*OURS, *PEERS) if name != "flair"}
    if flair is not None:
        interpreters["flair"] = flair
    small = time_readers(interpreters, corpus, TURNS["corpus"])
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.txt"
        with large.open("wb") as stream:
            for _ in range(TIMES_LARGER):
                stream.write(corpus.read_bytes())
        quick = {name: python for name, python in interpreters.items() if name not in TOO_SLOW_FOR_LARGE}
        timings = {"corpus": small, "large": time_readers(quick, large, TURNS["large"])}
        memory = {
            "convert to jsonl": peak_memory_mb("convert", str(large), f"{folder}/out.jsonl", "--quiet"),
            "convert to conll in IOBES": peak_memory_mb(
                "convert", str(large), f"{folder}/out.conll", "--scheme", "IOBES", "--quiet"
            ),
        }
    return {
        "times_larger": TIMES_LARGER,
        "turns": TURNS,
        "timings": {
            text: {
                name: {**asdict(timing), "ns_a_token": round(timing.nanoseconds_a_token, 1)}
                for name, timing in found.items()
            }
            for text, found in timings.items()
        },
        "peak_memory_mb": memory,
        "left_out": {} if flair else {"flair": "no interpreter with flair was named; it needs older libraries"},
        "goals": _goals(timings, memory),
    }


def _goals(timings: Mapping[str, Mapping[str, Timing]], memory: Mapping[str, float]) -> dict[str, object]:
    """Hold the figures against what they should be."""
    goals: dict[str, object] = {}
    for text, found in timings.items():
        peers = {name: timing.seconds for name, timing in found.items() if name in PEERS}
        # An Arrow table holds no Python strings yet; as lists it is comparable with sentences.
        comparable = {name: seconds for name, seconds in peers.items() if name != "datasets"}
        fastest = min(comparable, key=lambda name: comparable[name])
        times = comparable[fastest] / found[OURS[0]].seconds
        goals[f"times faster than the fastest peer ({text})"] = {
            "peer": fastest,
            "found": round(times, 2),
            "goal": SPEED_GOAL,
            "passed": times >= SPEED_GOAL,
            "table_alone": round(peers["datasets"] / found[OURS[0]].seconds, 2),
        }
    growth = timings["large"][OURS[1]].nanoseconds_a_token / timings["corpus"][OURS[1]].nanoseconds_a_token
    goals["cost of a token in the large text, times that in the small"] = {
        "found": round(growth, 2),
        "goal": LINEAR_GOAL,
        "passed": growth <= LINEAR_GOAL,
    }
    for work, peak in memory.items():
        goals[f"peak memory in MB: {work}"] = {"found": peak, "goal": MEMORY_GOAL_MB, "passed": peak < MEMORY_GOAL_MB}
    sizes = {(timing.sentences, timing.tokens) for timing in timings["corpus"].values()}
    goals["every reader finds the same sentences and tokens"] = {
        "found": len(sizes),
        "goal": 1,
        "passed": len(sizes) == 1,
    }
    return goals


def _table(found: Mapping[str, object]) -> str:
    timings: Mapping[str, Mapping[str, Mapping[str, float]]] = found["timings"]  # type: ignore[assignment]
    rows = [["reader", "CPU s", "ns a token", f"CPU s, {TIMES_LARGER} times the text", "ns a token"]]
    for name, small in timings["corpus"].items():
        large = timings["large"].get(name)
        figures = [f"{large['seconds']:.2f}", f"{large['ns_a_token']:.0f}"] if large else ["-", "-"]
        rows.append([name, f"{small['seconds']:.3f}", f"{small['ns_a_token']:.0f}", *figures])
    goals: Mapping[str, Mapping[str, object]] = found["goals"]  # type: ignore[assignment]
    verdicts = [["goal", "found", "wanted", ""]]
    verdicts += [
        [name, str(goal["found"]), str(goal["goal"]), "reached" if goal["passed"] else "MISSED"]
        for name, goal in goals.items()
    ]
    return f"{aligned(rows)}\n\n{aligned(verdicts)}"


def main() -> int:
    """Run from the command line; goals that are missed are said, not an error: the machine may be busy."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--flair", metavar="PYTHON", help="an interpreter that has flair")
    arguments = parser.parse_args()
    facts = origin(("datasets", "nltk", "pyarrow", "msgspec"))
    corpus = (arguments.data / CORPUS).resolve()
    if not corpus.is_file():
        print(f"{corpus} is not there: nothing to measure")
        write_result(arguments.output, {**facts, "skipped": f"{CORPUS} is not there"})
        return 0
    found = measure(corpus, arguments.flair)
    if arguments.flair:
        facts["flair"] = {
            "version": _version_in(arguments.flair, "flair"),
            "torch": _version_in(arguments.flair, "torch"),
        }
    print(_table(found))
    write_result(arguments.output, {**facts, **found})
    return 0


if __name__ == "__main__":
    sys.exit(main())
