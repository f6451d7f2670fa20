"""Measure the server of a model: speed beside the same work in one process, memory, overload, hostile requests.

``python -m benchmarks.serving --output results/serving.json`` trains a model on the demo corpus and does everything;
``--only load overload hostile`` does parts. wrk (Debian's) must be installed.
"""

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import torch

import trustag
from benchmarks.machine import ROOT, origin, write_result
from benchmarks.serving_client import MeasuredServer
from benchmarks.serving_hostile import storm
from benchmarks.serving_load import CLIENTS, bodies_of, by_wrk, checked, in_process, overloaded
from trustag.corpora.locating import stream
from trustag.models.model_place import model_folder
from trustag.models.prediction import Predictor

_SEED: Final = 1
_TRAINING: Final = (
    *("--method", "bilstm-crf", "--set", "bilstm.random_vectors=true", "--set", "training.batch_size=16"),
    *("--workers", "1", "--quiet"),
)
_SHAPES: Final = {"one sentence": 1, "a text of 16 sentences": 16}
_READ: Final = 12_000  # texts that one round in this process reads


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "serving.json")
    parser.add_argument("--model", type=Path, help="a model to serve; otherwise one is trained")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--hostile", type=int, default=200_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="of overload")
    parser.add_argument("--only", nargs="*", choices=["load", "overload", "hostile"])
    arguments = parser.parse_args()
    wanted = arguments.only or ["load", "overload", "hostile"]
    torch.set_num_threads(1)
    found: dict[str, Any] = {}
    if arguments.output.exists():
        found = json.loads(arguments.output.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "served" / "model"
        shutil.copytree(model_folder(arguments.model or _trained(Path(folder))), model)
        texts = [sentence.text for sentence in stream("demo:train")]
        predictor = trustag.load(model)
        found |= origin(("torch", "uvicorn", "uvloop", "httptools", "starlette"), seed=_SEED)
        if "load" in wanted:
            found["load"] = [_load(model, predictor, texts, shape, arguments.requests) for shape in _SHAPES.items()]
            write_result(arguments.output, found)
        if "overload" in wanted:
            found["overload"] = _overload(model, predictor, texts, arguments.seconds)
            write_result(arguments.output, found)
        if "hostile" in wanted:
            found["hostile"] = _hostile(model, arguments.hostile)
            write_result(arguments.output, found)


def _trained(folder: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "trustag", "train", "demo", "-o", str(folder / "run"), *_TRAINING], check=True
    )
    return folder / "run"


def _load(model: Path, predictor: Predictor, texts: list[str], shape: tuple[str, int], requests: int) -> dict[str, Any]:
    """Measure one shape of requests: this process and the server in turn, then every answer checked."""
    name, together = shape
    bodies = bodies_of(texts, together, 2000)
    expected = dict(zip(texts, predictor.predict(texts), strict=True))
    enough = requests if together == 1 else requests // 10
    rounds = []
    with MeasuredServer(model) as server:
        asyncio.run(checked(server, bodies, expected, 1000))
        memory = [server.megabytes()]
        for _ in range(2):
            before = in_process(predictor, (texts * 3)[:_READ])
            by_clients = by_wrk(server, bodies, enough // 2)
            after = in_process(predictor, (texts * 3)[:_READ])
            rounds.append({"before": before, "wrk": by_clients, "after": after})
            memory.append(server.megabytes())
        answers = asyncio.run(checked(server, bodies, expected, enough))
        memory.append(server.megabytes())
    whole = [(one["before"]["texts_per_second"] + one["after"]["texts_per_second"]) / 2 for one in rounds]
    served = [one["wrk"]["requests_per_second"] * together for one in rounds]
    per_second = (
        sum(one["wrk"]["requests"] for one in rounds)
        * together
        / sum(one["wrk"]["processor_seconds"] for one in rounds)
    )
    return {
        "shape": name,
        "texts": together,
        "clients": CLIENTS,
        "requests": sum(one["wrk"]["requests"] for one in rounds),
        "errors": sum(one["wrk"]["errors"] for one in rounds),
        "served_texts_per_second": round(sum(served) / len(served)),
        "in_process_texts_per_second": round(sum(whole) / len(whole)),
        "share": round(sum(served) / sum(whole), 3),
        "texts_per_processor_second": round(per_second),
        "p99_ms": max(one["wrk"]["p99_ms"] for one in rounds),
        "p50_ms": max(one["wrk"]["p50_ms"] for one in rounds),
        "rounds": rounds,
        "checked": answers,
        "megabytes": memory,
        "exit_code": server.code,
    }


def _overload(model: Path, predictor: Predictor, texts: list[str], seconds: float) -> dict[str, Any]:
    bodies = bodies_of(texts, 16, 500)
    expected = dict(zip(texts, predictor.predict(texts), strict=True))
    with MeasuredServer(model, "--workers", "2", "--queue", "256") as server:
        asyncio.run(checked(server, bodies, expected, 200))
        capacity = asyncio.run(checked(server, bodies, expected, 600))
        rate = capacity["requests"] / capacity["seconds"]
        plan = {"rate": 3 * rate, "seconds": seconds, "kill_every": 5.0, "reload_every": 10.0}
        found = asyncio.run(overloaded(server, model, bodies, expected, plan))
        time.sleep(1)
        afterwards = asyncio.run(checked(server, bodies, expected, 200))
    events = [event["event"] for event in server.events]
    return {
        "workers": 2,
        "capacity": round(rate, 1),
        **found,
        "kills": events.count("worker died"),
        "reloads": events.count("model reloaded"),
        "refused_reloads": events.count("model refused"),
        "afterwards": afterwards["answers"],
        "other_lines": server.other_lines[:20],
        "exit_code": server.code,
    }


def _hostile(model: Path, count: int) -> dict[str, Any]:
    """Send hostile requests in parts, with the memory after each."""
    with MeasuredServer(model) as server:
        parts = [asyncio.run(storm(server, _SEED, max(1, count // 20)))]
        memory = [server.megabytes()]
        began = time.perf_counter()
        for part in range(1, 5):
            parts.append(asyncio.run(storm(server, _SEED + part, count // 4)))
            memory.append(server.megabytes())
        seconds = time.perf_counter() - began
    kinds = sorted({kind for part in parts for kind in part["responses"]})
    events = [event["event"] for event in server.events]
    return {
        "requests": sum(part["requests"] for part in parts),
        "seconds": round(seconds, 1),
        "responses": {kind: sum(part["responses"].get(kind, 0) for part in parts) for kind in kinds},
        "failed": sum(part["failed"] for part in parts),
        "afterwards": [part["afterwards"] for part in parts],
        "worker_deaths": events.count("worker died"),
        "tracebacks": sum("Traceback" in line for line in server.other_lines),
        "other_lines": server.other_lines[:20],
        "megabytes": memory,
        "exit_code": server.code,
    }


if __name__ == "__main__":
    main()
