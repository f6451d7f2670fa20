"""Runs that are killed, interrupted or find their newest checkpoint broken end exactly like one that never was.

``python -m benchmarks.kills --output results/kills.json`` trains through the command line on a part of the demo corpus,
with the baseline, and with the whole method: once unbroken, then again and again with signals to the main process
and to workers, at moments drawn from a seed, each followed by ``--resume``. Every file of a finished run, and every
probability its model gives, is compared with the unbroken run, byte for byte.
"""

import argparse
import json
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.killing import Aim, Bench, Subject, has
from benchmarks.machine import origin, write_result

EPOCHS: Final = 6
# Widths that make a step quick and a checkpoint a megabyte, so that writing takes a good part of the time.
COMMON: Final = (
    *("bilstm.random_vectors=true", "bilstm.words=300", "bilstm.min_count=1", "bilstm.hidden=50"),
    *(f"training.epochs={EPOCHS}", f"training.patience={EPOCHS}", "training.batch_size=16"),
    *("training.least_steps=0", "training.snapshot_seconds=0"),
)
SIGNALS_A_RUN: Final = 4
TRAINING: Final = "jobs/as-given"  # where the baseline leaves its snapshots and metrics while it trains
DAMAGES: Final = ("truncated tensors", "a flipped bit in the tensors", "a flipped bit in the progress", "a lost file")


def _epochs(run: Path) -> int:
    try:
        return len((run / TRAINING / "metrics.jsonl").read_text(encoding="utf-8").splitlines())
    except FileNotFoundError:
        return 0


def _is_begun(run: Path, _: int) -> bool:
    return (run / "manifest.json").exists()


# In this order, since a run that is past its last epoch has no other moments left.
PLAIN_AIMS: Final = (
    Aim("while the program starts", lambda *_: True, 2.0),
    Aim("at any time of the training", _is_begun, 3.0),
    Aim("while a checkpoint is written", lambda run, _: has(run, f"{TRAINING}/checkpoints/.epoch-*"), 0.004),
    Aim("while a model is written", lambda run, _: has(run, f"{TRAINING}/.model-*"), 0.004),
    Aim("Ctrl-C in an epoch", lambda run, turn: _epochs(run) >= min(turn, EPOCHS - 2), 0.1, signal.SIGINT),
    Aim("in a later epoch", lambda run, turn: _epochs(run) >= turn, 0.4),
    Aim("after the last epoch", lambda run, _: _epochs(run) >= EPOCHS, 0.1),
)


def _plain_stood(run: Path) -> str:
    if has(run, f"{TRAINING}/checkpoints/.epoch-*"):
        return "while a checkpoint was written"
    if has(run, f"{TRAINING}/.model-*", ".model-*"):
        return "while a model was written"
    if _epochs(run) >= EPOCHS:
        return "at the end"
    return "between checkpoints" if has(run, f"{TRAINING}/checkpoints/epoch-*") else "before the first checkpoint"


# What the stages of the method leave, the latest first.
STAGES: Final = {
    "writing what was found": ("metrics.jsonl", ".model-*"),
    "round 2, final model": ("jobs/round-2/final",),
    "round 2, new labels": ("jobs/round-2/fold-*",),
    "round 1, final models": ("jobs/round-1/final", "jobs/plain"),
    "round 1, new labels": ("jobs/round-1/fold-*",),
    "noise rates": ("jobs/rates",),
}


def _method_stood(run: Path) -> str:
    return next((stage for stage, patterns in STAGES.items() if has(run, *patterns)), "before the first training")


def _in_stage(name: str) -> Iterator[Aim]:
    """Yield aims at both kinds of processes inside a stage."""

    def is_reached(run: Path, _: int) -> bool:
        return has(run, *STAGES[name])

    yield Aim(f"main process, {name}", is_reached, 2.5)
    yield Aim(f"worker, {name}", is_reached, 1.5, hits="worker")


# In the order of the stages, for the same reason as above.
METHOD_AIMS: Final = (
    Aim("while the program starts", lambda *_: True, 3.0),
    *_in_stage("noise rates"),
    Aim("while a checkpoint is written", lambda run, _: has(run, "jobs/*/*/checkpoints/.epoch-*"), 0.004),
    Aim("worker that writes a model", lambda run, _: has(run, "jobs/*/*/.model-*"), 0.004, hits="worker"),
    *_in_stage("round 1, new labels"),
    Aim("while a judgement is written", lambda run, _: has(run, "jobs/*/*/.outcome*"), 0.002),
    *_in_stage("round 1, final models"),
    Aim("Ctrl-C in any stage", _is_begun, 8.0, signal.SIGINT),
    *_in_stage("round 2, new labels"),
    *_in_stage("round 2, final model"),
    Aim("while results are written", lambda run, _: has(run, ".model-*", ".metrics*", ".changes*"), 0.05),
    Aim("while confidence is written", lambda run, _: has(run, ".confidence*", ".relabelled*"), 0.01),
)

ROUNDS: Final = ("method.rounds.count=2", "method.rounds.fold_epochs=4", "method.rates.estimate_epochs=2")
PLAIN: Final = Subject("bilstm-crf", COMMON, PLAIN_AIMS, EPOCHS - 1, _plain_stood)
METHOD: Final = Subject("confidence", (*COMMON, *ROUNDS), METHOD_AIMS, 1, _method_stood)


def damage(run: Path, kind: str) -> None:
    """Break the newest checkpoint of a run."""
    newest = max(run.glob(f"{TRAINING}/checkpoints/epoch-*"))
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


def broken_runs(subject: Subject, kills: int, seed: int, damages: Sequence[str]) -> dict[str, Any]:
    """Break runs until enough kills have hit, and once more for each kind of damage; return what became of them."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(subject, Path(folder), seed)
        aims = subject.aims
        while _counted(bench.runs)["kills"] < kills:
            first = len(bench.runs)
            chosen = [aims[(first + turn * len(aims) // SIGNALS_A_RUN) % len(aims)] for turn in range(SIGNALS_A_RUN)]
            bench.strike_often(sorted(chosen, key=aims.index))
        aim = Aim(
            "with two checkpoints", lambda run, _: len(list(run.glob(f"{TRAINING}/checkpoints/epoch-*"))) > 1, 0.2
        )
        for kind in damages:
            bench.strike_and_damage(aim, kind, damage)
    return {**_counted(bench.runs), "passed": all(run["passed"] for run in bench.runs), "runs": bench.runs}


def _counted(runs: list[dict[str, Any]]) -> dict[str, Any]:
    signals = [one for run in runs for one in run["signals"] if one["hit"]]
    kills = [one for one in signals if "Ctrl-C" not in one["aim"]]
    return {
        "kills": len(kills),
        "worker_kills": sum(one["hits"] == "worker" for one in kills),
        "half_written": sum(one["half_written"] for one in kills),
        "interrupts": len(signals) - len(kills),
        "stood": dict(Counter(one["stood"] for one in kills).most_common()),
        "damaged": sum(run["damaged"] is not None for run in runs),
        "equal_runs": sum(not run["differing"] for run in runs),
        "broken_runs": len(runs),
    }


def main() -> None:
    """Break runs of the plain training and of the method, and write what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=30, help="at least so many of each kind of training")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    # Shells have their background jobs ignore Ctrl-C, and so would the runs that are started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    facts = origin(("torch", "safetensors"), arguments.seed)
    plain = broken_runs(PLAIN, arguments.kills, arguments.seed, DAMAGES)
    method = broken_runs(METHOD, arguments.kills, arguments.seed, ())
    passed = plain["passed"] and method["passed"]
    write_result(arguments.output, {**facts, **plain, "passed": passed, "method": method})
    for found in (plain, method):
        print(json.dumps({name: value for name, value in found.items() if name != "runs"}, indent=2))


if __name__ == "__main__":
    main()
