"""Runs that were killed while they trained, with the checkpoints that they leave."""

import hashlib
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from attack.small import Training
from benchmarks.killing import wait_for_end_of, workers_of

_LONGEST_WAIT: Final = 600.0
_SECONDS_BETWEEN_LOOKS: Final = 0.001


def unfinished(folder: Path, training: Training) -> Path:
    """Return a run that was killed when checkpoints of a training, and jobs before it if it has several, were there."""
    output = folder / f"stopped-{training.name}"
    patterns = ["checkpoints/epoch-*-step-*"] + ([] if training.method == "bilstm-crf" else ["outcome"])
    command = [sys.executable, "-m", "trustag", *training.arguments(folder, output), "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began = time.monotonic()
    while process.poll() is None and time.monotonic() - began < _LONGEST_WAIT:
        if all(any(output.glob(f"jobs/**/{pattern}")) for pattern in patterns):
            break
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    workers = workers_of(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_for_end_of(workers)
    if not any(output.glob("jobs/**/checkpoints/epoch-*")):
        raise RuntimeError(f"{training.name} ended before it could be stopped")
    return output


def checksummed(snapshot: Path) -> None:
    """Renew the checksum of a snapshot, so that what is wrong in it is not noticed by that."""
    recorded = snapshot / "sha256"
    if recorded.is_file():
        digest = hashlib.sha256()
        for name in ("tensors.safetensors", "progress.json"):
            file = snapshot / name
            digest.update(hashlib.sha256(file.read_bytes() if file.is_file() else b"").digest())
        recorded.write_text(digest.hexdigest(), encoding="utf-8")
