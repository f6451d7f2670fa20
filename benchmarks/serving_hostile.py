"""Hostile requests at the door of the server: odd JSON, odd heads, broken off, and no HTTP at all."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from benchmarks.serving_client import Connection, MeasuredServer

_CLIENTS: Final = 100
_ALLOWED: Final = frozenset({0, 200, 400, 401, 403, 404, 405, 408, 413, 415, 421, 422, 429, 503})
_LATEST: Final = 120.0
_WORDS: Final = (
    "",
    "\0",
    "\ud800",
    "😀" * 9,
    "a" * 5000,
    " \n\t",
    "<script>",
    "\u202e",
    "e\u0301" * 30,
    "東京" * 40,
    "x",
)
_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, -1, 1e308, [], {}, [[]], "x", [1], [None], {"text": "x"}, 10**30, [["a"], "b"], ["", ""]),
)
_FIELDS: Final = ("text", "tokens", "inputs", "min_score", "document", "x", "", "__proto__", "texts")
_PATHS: Final = ("/", "/model", "/metrics", "/health", "/ready", "/openapi.json", "/static/try.js", "/predict")
_ODD_PATHS: Final = (
    "/static/../../etc/passwd",
    "/static/%2e%2e/x",
    "//",
    "/%ff",
    "*",
    "http://evil/",
    "/" + "a" * 9000,
)
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get")
_TYPES: Final = ("application/json", "application/x-ndjson", "text/plain", "", "application/json; charset=utf-16", "é")
_NO_HTTP: Final = (
    b"\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"GET\r\n\r\n",
    b"\0" * 500,
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
    b"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    b"POST /predict HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
    b"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nHost: x\r\n\r\n",
)


def requests(port: int, seed: int, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield so many requests, each with its kind."""
    rng = random.Random(seed)
    kinds: Sequence[tuple[str, int, Callable[[int, random.Random], bytes]]] = (
        ("odd JSON", 55, _odd_json),
        ("broken JSON", 20, _broken_json),
        ("lines", 8, _lines),
        ("odd head", 12, _odd_head),
        ("no HTTP", 5, lambda _, rng: rng.choice(_NO_HTTP)),
    )
    weights = [weight for _, weight, _ in kinds]
    for _ in range(count):
        kind, _, make = rng.choices(kinds, weights)[0]
        data = make(port, rng)
        if rng.random() < 0.03:
            yield "broken off", data[: rng.randint(1, len(data))]
        else:
            yield kind, data


async def storm(server: MeasuredServer, seed: int, count: int) -> dict[str, Any]:
    """Send hostile requests and return which statuses came, and what must not have."""
    seen: Counter[str] = Counter()
    left = requests(server.port, seed, count)

    async def client() -> None:
        connection = Connection(server.port)
        for kind, data in left:
            try:
                async with asyncio.timeout(0.05 if kind in {"broken off", "no HTTP"} else _LATEST):
                    status, answer = await connection.send(data)
            except TimeoutError:
                status, answer = (0 if kind in {"broken off", "no HTTP"} else -1), b""
            except (ValueError, OSError):
                status, answer = -2, b""
            failed = status not in _ALLOWED or b"Traceback" in answer or b"site-packages" in answer
            seen[f"{'FAILED ' if failed else ''}{kind}: {status}"] += 1
            if kind not in {"odd JSON", "broken JSON"}:
                connection.close()
        connection.close()

    await asyncio.gather(*(client() for _ in range(_CLIENTS)))
    with suppress(OSError):
        await asyncio.sleep(0.5)
    status, _ = await Connection(server.port).send(server.request(b'{"text": "x"}'))
    return {
        "requests": sum(seen.values()),
        "responses": dict(sorted(seen.items())),
        "failed": sum(number for kind, number in seen.items() if kind.startswith("FAILED")),
        "afterwards": status,
    }


def _request(
    port: int, body: bytes, kind: str = "application/json", method: str = "POST", path: str = "/predict"
) -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: {kind}\r\n"
    return head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body


def _odd_json(port: int, rng: random.Random) -> bytes:
    value: object = {"text": rng.choice(_WORDS)}
    choice = rng.random()
    if choice < 0.4:
        value = {rng.choice(_FIELDS): rng.choice([*_VALUES, *_WORDS]) for _ in range(rng.randint(0, 3))}
    elif choice < 0.6:
        value = {"tokens": [rng.choice(_WORDS) for _ in range(rng.randint(0, 6))]}
    elif choice < 0.75:
        value = {"inputs": [rng.choice([*_WORDS, ["a"], [""], [" "]]) for _ in range(rng.randint(0, 4))]}
    elif choice < 0.85:
        value = rng.choice(_VALUES)
    return _request(port, json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", errors="surrogatepass"))


def _broken_json(port: int, rng: random.Random) -> bytes:
    body = bytearray(json.dumps({"text": rng.choice(_WORDS), "min_score": 0.5}).encode())
    for _ in range(rng.randint(1, 4)):
        body[rng.randrange(len(body))] = rng.randrange(256)
    if rng.random() < 0.1:
        body = bytearray(rng.choice([b"[" * 20_000, b'{"text":' * 5000, b"\xff\xfe{}", b"1e999999", b'"']))
    return _request(port, bytes(body))


def _lines(port: int, rng: random.Random) -> bytes:
    lines = [
        rng.choice([b'{"text": "a"}', b"{", b"", b"null", b'{"tokens": ["x"]}', b"\xff", b'"text"'])
        for _ in range(rng.randint(0, 8))
    ]
    return _request(port, b"\n".join(lines), "application/x-ndjson")


def _odd_head(port: int, rng: random.Random) -> bytes:
    path = rng.choice(_ODD_PATHS if rng.random() < 0.4 else _PATHS)
    method = rng.choice([name for name in _METHODS if name != "HEAD"])
    data = _request(port, b"{}" if method == "POST" else b"", rng.choice(_TYPES), method, path)
    odd = rng.choice(
        [b"Origin: http://evil\r\n", b"Origin: null\r\n", b"Authorization: Bearer \xff\r\n", b"X: " + b"y" * 9000]
    )
    if rng.random() < 0.5:
        data = data.replace(b"Content-Type", odd + b"\r\nContent-Type", 1)
    if rng.random() < 0.2:
        data = data.replace(b"Host: localhost", b"Host: " + rng.choice([b"evil", b"", b"localhost@evil"]), 1)
    return data
