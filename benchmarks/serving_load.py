"""The server under load: 64 clients of wrk, the same by a client that checks every answer, and three times too much."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.serving_client import Connection, MeasuredServer
from trustag.models.prediction import Predictor

CLIENTS: Final = 64
_UNITS: Final = {"us": 0.001, "ms": 1.0, "s": 1000.0}
_LATENCY: Final = re.compile(r"^\s+(50|99)%\s+([\d.]+)(us|ms|s)\b", re.MULTILINE)
_LATEST: Final = 120.0


def bodies_of(texts: Sequence[str], together: int, count: int) -> list[tuple[bytes, list[str]]]:
    """Return different requests of so many texts each."""
    found = []
    for number in range(count):
        own = [texts[(number * together + place) % len(texts)] for place in range(together)]
        content = {"text": own[0]} if together == 1 else {"inputs": own}
        found.append((json.dumps(content).encode(), own))
    return found


def in_process(predictor: Predictor, texts: Sequence[str]) -> dict[str, float]:
    """Return how many texts a second one call of ``predict`` reads in this process."""
    began, used = time.perf_counter(), time.process_time()
    predictor.predict(texts)
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    return {"texts_per_second": len(texts) / seconds, "texts_per_processor_second": len(texts) / processor}


def by_wrk(server: MeasuredServer, bodies: Sequence[tuple[bytes, list[str]]], requests: int) -> dict[str, Any]:
    """Let wrk send requests from 64 clients until there are enough."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "post.lua"
        lines = ",\n".join(f"[==[{body.decode()}]==]" for body, _ in bodies)
        script.write_text(
            f"local bodies = {{{lines}}}\nlocal number = 0\n"
            'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n'
            "request = function()\n number = number % #bodies + 1\n"
            " return wrk.format(nil, nil, nil, bodies[number])\nend\n",
            encoding="utf-8",
        )
        found: dict[str, Any] = {"requests": 0, "seconds": 0.0, "errors": 0}
        used = server.processor_seconds()
        while found["requests"] < requests:
            speed = found["requests"] / found["seconds"] if found["seconds"] else 0
            seconds = max(5, min(120, round((requests - found["requests"]) / speed) + 1)) if speed else 5
            said = subprocess.run(
                [
                    *("wrk", "-t1", f"-c{CLIENTS}", f"-d{seconds}s", "--timeout", "60s", "--latency"),
                    *("-s", str(script), f"http://127.0.0.1:{server.port}/predict"),
                ],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            done = re.search(r"(\d+) requests in ([\d.]+)(s|m)", said)
            assert done is not None, said
            found["requests"] += int(done[1])
            found["seconds"] += float(done[2]) * (60 if done[3] == "m" else 1)
            wrong = re.findall(r"Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)", said)
            found["errors"] += sum(int(count or 0) + sum(map(int, re.findall(r"\d+", other))) for count, other in wrong)
            found |= {f"p{share}_ms": float(value) * _UNITS[unit] for share, value, unit in _LATENCY.findall(said)}
    found["requests_per_second"] = round(found["requests"] / found["seconds"], 1)
    found["processor_seconds"] = round(server.processor_seconds() - used, 1)
    return found


async def checked(
    server: MeasuredServer, bodies: Sequence[tuple[bytes, list[str]]], expected: dict[str, Any], requests: int
) -> dict[str, Any]:
    """Send requests from 64 clients and compare every answer with what the model finds in this process."""
    seen: Counter[str] = Counter()
    left = iter(range(requests))

    async def client() -> None:
        connection = Connection(server.port)
        for number in left:
            body, texts = bodies[number % len(bodies)]
            status, answer = await connection.send(server.request(body))
            seen[verdict(status, answer, texts, expected)] += 1
        connection.close()

    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return {"requests": requests, "seconds": round(time.perf_counter() - began, 1), "answers": dict(seen)}


def verdict(status: int, answer: bytes, texts: Sequence[str], expected: dict[str, Any]) -> str:
    """Return ``right`` for the right answer, the status for a refusal, or ``wrong``."""
    if status != 200:
        return str(status)
    found = json.loads(answer)
    results = found.get("results", [found])
    return "right" if len(results) == len(texts) and all(map(_same, results, map(expected.get, texts))) else "wrong"


def _same(result: dict[str, Any], wanted: Any) -> bool:
    found = [(one["start"], one["end"], one["text"], one["label"]) for one in result["entities"]]
    return found == [(one.start, one.end, one.text, one.label) for one in wanted] and all(
        abs(one["score"] - other.score) < 1e-4 for one, other in zip(result["entities"], wanted, strict=True)
    )


async def overloaded(
    server: MeasuredServer, model: Path, bodies: Sequence[tuple[bytes, list[str]]], expected: dict[str, Any], plan: Any
) -> dict[str, Any]:
    """Send requests at a fixed rate, whatever comes back, while workers are killed and the model is loaded anew."""
    seen: Counter[str] = Counter()
    free: list[Connection] = []
    under_way: set[asyncio.Task[None]] = set()

    async def one(number: int) -> None:
        connection = free.pop() if free else Connection(server.port)
        body, texts = bodies[number % len(bodies)]
        try:
            async with asyncio.timeout(_LATEST):
                status, answer = await connection.send(server.request(body))
            seen[verdict(status, answer, texts, expected)] += 1
        except TimeoutError:
            seen["hanging"] += 1
            connection.close()
        free.append(connection)

    harm = asyncio.create_task(_harm(server, model, plan["kill_every"], plan["reload_every"]))
    began = time.perf_counter()
    number = 0
    while (now := time.perf_counter() - began) < plan["seconds"]:
        for _ in range(round(now * plan["rate"]) - number):
            task = asyncio.create_task(one(number))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            number += 1
        await asyncio.sleep(0.005)
    sent = time.perf_counter() - began
    harm.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    for connection in free:
        connection.close()
    return {"requests": number, "seconds": round(sent, 1), "rate": round(number / sent, 1), "answers": dict(seen)}


async def _harm(server: MeasuredServer, model: Path, kill_every: float, reload_every: float) -> None:
    """Kill a worker and exchange the model, again and again; the new one is a copy that takes the place of the old."""
    began = time.perf_counter()
    kills = reloads = 0
    while True:
        await asyncio.sleep(0.05)
        now = time.perf_counter() - began
        if now > (kills + 1) * kill_every and server.workers:
            os.kill(server.workers[kills % len(server.workers)], signal.SIGKILL)
            kills += 1
        if now > (reloads + 1) * reload_every:
            fresh = model.with_name("fresh")
            shutil.copytree(model, fresh)
            model.rename(model.with_name("old"))
            fresh.rename(model)
            shutil.rmtree(model.with_name("old"))
            server.process.send_signal(signal.SIGHUP)
            reloads += 1
