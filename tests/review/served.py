"""The real server in its own process, which can be killed."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass
class Served:
    """``trustag review`` on a run; a restart uses the same port."""

    run: Path
    port: int = 0
    url: str = ""
    process: "subprocess.Popen[str] | None" = None
    options: tuple[str, ...] = ()

    def start(self) -> Self:
        """Start the server and wait until it prints its address."""
        command = [sys.executable, "-m", "trustag", "review", str(self.run), "--no-browser", "--port", str(self.port)]
        command += self.options
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.split(":")[2].split("/")[0])
        return self

    def kill(self) -> None:
        """Kill the server."""
        self._end(signal.SIGKILL)

    def stop(self) -> str:
        """Stop the server as Ctrl-C does, and return the rest of its output."""
        return self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> str:
        assert self.process is not None
        self.process.send_signal(how)
        output, _ = self.process.communicate(timeout=60)
        return output
