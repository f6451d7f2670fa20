"""The real server in its own process, which can be signalled and killed."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

PATIENCE = 120.0


class ServedModel:
    """``trustag serve`` on a model, on a free port, with its log."""

    def __init__(self, model: Path, *options: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "trustag", "serve", str(model), "--port", str(port), *options]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        self.log: list[str] = []
        self._events: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.log

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=PATIENCE, **options)

    def wait_for(self, event: str) -> dict[str, Any]:
        """Return the next event of this name."""
        while (found := self._events.get(timeout=PATIENCE)) is not None:
            if found["event"] == event:
                return found
        raise AssertionError(f"no {event!r}: {self.log}")

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(timeout=PATIENCE)
        self._reader.join(PATIENCE)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        assert code == 0, self.log
        assert not any("Traceback" in line for line in self.log), self.log

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line)
            if line.startswith("{"):
                self._events.put(json.loads(line))
        self._events.put(None)
