"""Runs that are killed, interrupted or find their newest checkpoint broken end exactly like one that never was.

``python -m benchmarks.kills --output results/kills.json`` trains through the command line on a part of the demo corpus:
once unbroken, then again and again with signals at moments drawn from a seed, each followed by ``--resume``. Every file
of a finished run, and every probability its model gives, is compared with the unbroken run, byte for byte.
"""

import argparse
import hashlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import trustag
from benchmarks.machine import origin, write_result
from trustag.corpora.demo import demo_corpus
from trustag.files import conll
from trustag.files.formats import WriteOptions
from trustag.results import unwatched
from trustag.text.sentences import Sentence

EPOCHS: Final = 6
SIZES: Final = {"train": 300, "dev": 60, "test": 60}
# Widths that make a step quick and a checkpoint a megabyte, so that writing takes a good part of the time.
SETTINGS: Final = (
    *("bilstm.random_vectors=true", "bilstm.words=300", "bilstm.min_count=1", "bilstm.hidden=50"),
    *(f"training.epochs={EPOCHS}", f"training.patience={EPOCHS}", "training.batch_size=16"),
    *("training.least_steps=0", "training.snapshot_seconds=0"),
)
KILLS_A_RUN: Final = 4
LONGEST_WAIT: Final = 300.0


class Aim(NamedTuple):
    """When a signal is sent: once ``is_reached`` says so of the run's folder, and up to ``spread`` seconds later."""

    name: str
    is_reached: Callable[[Path, int], bool]
    spread: float
    sends: signal.Signals = signal.SIGKILL


# In this order, since a run that is past its last epoch has no other moments left.
AIMS: Final = (
    Aim("while the program starts", lambda run, turn: True, 2.0),  # noqa: ARG005
    Aim("at any time of the training", lambda run, turn: (run / "manifest.json").exists(), 3.0),  # noqa: ARG005
    Aim("while a checkpoint is written", lambda run, turn: _has(run, "checkpoints/.epoch-*"), 0.004),  # noqa: ARG005
    Aim("while a model is written", lambda run, turn: _has(run, ".model-*"), 0.004),  # noqa: ARG005
    Aim("Ctrl-C in an epoch", lambda run, turn: _epochs(run) >= min(turn, EPOCHS - 2), 0.1, signal.SIGINT),
    Aim("in a later epoch", lambda run, turn: _epochs(run) >= turn, 0.4),
    Aim("after the last epoch", lambda run, turn: _epochs(run) >= EPOCHS, 0.1),  # noqa: ARG005
)

DAMAGES: Final = ("truncated tensors", "a flipped bit in the tensors", "a flipped bit in the progress", "a lost file")


def _has(run: Path, pattern: str) -> bool:
    return any(run.glob(pattern))


def _epochs(run: Path) -> int:
    try:
        return len((run / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
    except FileNotFoundError:
        return 0


def write_corpus(folder: Path) -> list[Sentence]:
    """Write the beginning of each split of the demo corpus into ``folder`` and return the test sentences."""
    corpus = demo_corpus()
    for split, size in SIZES.items():
        with (folder / f"{split}.conll").open("wb") as stream:
            conll.write(getattr(corpus, split)[:size], stream, WriteOptions(), unwatched)
    return list(corpus.test[: SIZES["test"]])


def command(folder: Path, run: Path) -> list[str]:
    """Return the command that trains on the corpus in ``folder``, or goes on with it, in ``run``."""
    settings = [part for setting in SETTINGS for part in ("--set", setting)]
    resume = ["--resume"] if run.exists() else []
    return [sys.executable, "-m", "trustag", "train", str(folder), "-o", str(run), *settings, *resume]


def break_off(folder: Path, run: Path, aim: Aim, dice: random.Random) -> dict[str, Any]:
    """Train or go on, send the signal at the moment aimed at, and say where the run then stood."""
    turn, delay = dice.randint(1, EPOCHS - 1), dice.random() * aim.spread
    process = subprocess.Popen(command(folder, run), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began = time.monotonic()
    while process.poll() is None and not aim.is_reached(run, turn) and time.monotonic() - began < LONGEST_WAIT:
        time.sleep(0.001)
    time.sleep(delay)
    process.send_signal(aim.sends)
    process.wait()
    is_hit = process.returncode == (-signal.SIGKILL if aim.sends is signal.SIGKILL else 130)
    return {"aim": aim.name, "hit": is_hit, "stood": _stood(run) if is_hit else "ended before"}


def _stood(run: Path) -> str:
    """Return what the folder of a killed run shows of the moment."""
    if _has(run, "checkpoints/.epoch-*"):
        return "while a checkpoint was written"
    if _has(run, ".model-*"):
        return "while a model was written"
    if not _has(run, "checkpoints/epoch-*"):
        return "at the end" if _epochs(run) >= EPOCHS else "before the first checkpoint"
    return "at the end" if _epochs(run) >= EPOCHS else "between checkpoints"


def damage(run: Path, kind: str) -> None:
    """Break the newest checkpoint of a run."""
    newest = max(run.glob("checkpoints/epoch-*"))
    file = newest / ("progress.json" if "progress" in kind else "tensors.safetensors")
    if kind == "a lost file":
        file.unlink()
        return
    content = bytearray(file.read_bytes())
    if kind == "truncated tensors":
        content = content[: len(content) // 2]
    else:
        content[len(content) // 2] ^= 1
    file.write_bytes(content)


def outcome(run: Path, sentences: list[Sentence]) -> dict[str, str]:
    """Return the checksums of every file of a finished run, its times left out, and of what its model predicts."""
    found = {}
    for file in sorted(path for path in run.rglob("*") if path.is_file()):
        content = file.read_bytes()
        if file.name == "manifest.json":
            facts = json.loads(content)
            content = json.dumps({key: facts[key] for key in facts if key not in {"started", "finished"}}).encode()
        found[str(file.relative_to(run))] = hashlib.sha256(content).hexdigest()
    model = trustag.load(run)
    tokens = [sentence.tokens for sentence in sentences]
    found["predicted labels"] = hashlib.sha256(json.dumps(model.predict_tokens(tokens)).encode()).hexdigest()
    tables = b"".join(table.tobytes() for table in model.predict_marginals(tokens))
    found["predicted probabilities"] = hashlib.sha256(tables).hexdigest()
    return found


class Bench:
    """Makes broken runs beside an unbroken one and keeps what became of each."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.dice = random.Random(seed)
        self.sentences = write_corpus(folder)
        self.runs: list[dict[str, Any]] = []
        self.expected = outcome(self._finish(folder / "unbroken")[0], self.sentences)

    def kill_often(self, aims: list[Aim]) -> None:
        """Make one run, broken off at each of ``aims`` in turn, and compare its end."""
        run = self.folder / f"run-{len(self.runs)}"
        signals = [break_off(self.folder, run, aim, self.dice) for aim in aims]
        self._compare(run, signals, None)

    def kill_and_damage(self, kind: str) -> None:
        """Make one run that is killed with two checkpoints on disk, the newest of which is then damaged."""
        run = self.folder / f"run-{len(self.runs)}"
        aim = Aim("with two checkpoints", lambda place, _: len(list(place.glob("checkpoints/epoch-*"))) > 1, 0.2)
        signals = [break_off(self.folder, run, aim, self.dice)]
        damage(run, kind)
        self._compare(run, signals, kind)

    def _compare(self, run: Path, signals: list[dict[str, Any]], damaged: str | None) -> None:
        _, errors = self._finish(run)
        found = outcome(run, self.sentences)
        differing = sorted(name for name in {*found, *self.expected} if found.get(name) != self.expected.get(name))
        said = "broken checkpoint" in errors
        report = {"signals": signals, "damaged": damaged, "said_broken": said, "differing": differing}
        self.runs.append({**report, "passed": not differing and said == (damaged is not None)})
        print(len(self.runs), [one["stood"] for one in signals], damaged or "", differing or "equal", flush=True)

    def _finish(self, run: Path) -> tuple[Path, str]:
        done = subprocess.run(command(self.folder, run), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return run, done.stderr


def main() -> None:
    """Break runs until enough kills have hit, and write what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    # Shells have their background jobs ignore Ctrl-C, and so would the runs that are started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    facts = origin(("torch", "safetensors"), arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), arguments.seed)
        while _count(bench.runs)["kills"] < arguments.kills:
            aims = [AIMS[(KILLS_A_RUN * len(bench.runs) + turn) % len(AIMS)] for turn in range(KILLS_A_RUN)]
            bench.kill_often(sorted(aims, key=AIMS.index))
        for kind in DAMAGES:
            bench.kill_and_damage(kind)
    counts = _count(bench.runs)
    write_result(
        arguments.output,
        {**facts, **counts, "passed": all(run["passed"] for run in bench.runs), "runs": bench.runs},
    )
    print(json.dumps(counts, indent=2))


def _count(runs: list[dict[str, Any]]) -> dict[str, Any]:
    signals = [one for run in runs for one in run["signals"] if one["hit"]]
    kills = [one for one in signals if "Ctrl-C" not in one["aim"]]
    return {
        "kills": len(kills),
        "interrupts": len(signals) - len(kills),
        "stood": dict(Counter(one["stood"] for one in kills).most_common()),
        "damaged": sum(run["damaged"] is not None for run in runs),
        "equal_runs": sum(not run["differing"] for run in runs),
        "broken_runs": len(runs),
    }


if __name__ == "__main__":
    main()
