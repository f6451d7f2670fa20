"""A server in its own process, and clients that keep their connections, for the measurements of serving."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

_LENGTH: Final = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_LARGEST: Final = 1 << 24
_IDLE: Final = 30.0


class Connection:
    """A kept connection to the server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0

    async def send(self, data: bytes) -> tuple[int, bytes]:
        """Return status and body of the response; the status is 0 if the server closed the connection without one."""
        if time.monotonic() - self._used > _IDLE:  # the server may be closing it just now
            self.close()
        self._used = time.monotonic()
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=_LARGEST)
            reader, writer = self._streams
            writer.write(data)
            await writer.drain()
            return await self._answer(reader)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            self.close()
            return 0, b""

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        head = await reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        if status == 100:
            return await self._answer(reader)
        length = _LENGTH.search(head)
        if length is None:
            body = await self._chunks(reader)
        else:
            body = await reader.readexactly(int(length[1]))
        if b"connection: close" in head.lower():
            self.close()
        return status, body

    async def _chunks(self, reader: asyncio.StreamReader) -> bytes:
        body = b""
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
        return body

    def close(self) -> None:
        """Let go of the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def post(body: bytes, kind: bytes = b"application/json", path: bytes = b"/predict") -> bytes:
    """Return the bytes of a request."""
    head = b"POST %s HTTP/1.1\r\nHost: localhost:%%d\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    return head % (path, kind, len(body)) + body


class MeasuredServer:
    """``trustag serve`` on a free port; it counts what happens, and can be hurt."""

    def __init__(self, model: Path, *options: str) -> None:
        command = [sys.executable, "-m", "trustag", "serve", str(model), "--port", "0", *options]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        self.events: list[dict[str, Any]] = []
        self.other_lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    @property
    def workers(self) -> list[int]:
        """The numbers of the worker processes that are alive."""
        died = {event["worker"] for event in self.events if event["event"] == "worker died"}
        ready = [event["worker"] for event in self.events if event["event"] == "worker ready"]
        return [worker for worker in ready if worker not in died and Path(f"/proc/{worker}").exists()]

    def request(self, body: bytes) -> bytes:
        """Return the bytes of a prediction request to this server."""
        return post(body).replace(b"localhost:%d", b"localhost:%d" % self.port)

    def megabytes(self) -> dict[str, float]:
        """Return the memory of the server and of its workers, not counting what they share with others twice."""
        return {
            "server": _megabytes(self.process.pid),
            "workers": round(sum(_megabytes(worker) for worker in self.workers), 1),
        }

    def processor_seconds(self) -> float:
        """Return the processor time that the server and its present workers have used."""
        return sum(_processor_seconds(number) for number in (self.process.pid, *self.workers))

    def wait_for(self, event: str, since: int = 0) -> None:
        """Wait until an event has happened after the first ``since`` ones."""
        while not any(one["event"] == event for one in self.events[since:]):
            time.sleep(0.02)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the server; it must end well."""
        self.process.send_signal(signal.SIGTERM)
        self.code = self.process.wait(120)
        self._reader.join(60)

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if line.startswith("{"):
                self.events.append(json.loads(line))
            else:
                self.other_lines.append(line)


def _megabytes(process: int) -> float:
    """Return the proportional memory of a process."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return round(int(found[1]) / 1024, 1) if found else 0.0


def _processor_seconds(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
