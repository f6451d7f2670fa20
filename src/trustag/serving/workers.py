"""A worker process as the server sees it: started, given batches, and noticed when it dies."""

import asyncio
import multiprocessing
import socket
from asyncio import StreamReader, StreamWriter
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Final

from trustag.errors import InputError
from trustag.models.model_place import is_exported
from trustag.serving.limits import Limits
from trustag.serving.model_entry import enter
from trustag.serving.worker_messages import Answer, Answers, Loaded, RequestBatch, framed, read_message

# A worker begins as a copy of a process that has loaded torch already, so that a dead one is replaced at once.
_PROCESSES: Final = multiprocessing.get_context("forkserver")
_PRELOADED: Final = ["trustag.serving.model_process"]
_SECONDS_TO_LOAD: Final = 600.0
_SECONDS_TO_END: Final = 5.0
_GONE: Final = (asyncio.IncompleteReadError, ConnectionError, BrokenPipeError)
_BUFFER: Final = 1 << 24


class WorkerDiedError(Exception):
    """A worker ended, or was ended because it did not answer."""


class Worker:
    """A process that answers batches one after another; the next may be sent before the last is answered."""

    def __init__(
        self, process: "multiprocessing.process.BaseProcess", streams: tuple[StreamReader, StreamWriter], card: bytes
    ) -> None:
        self.card = card
        self._process = process
        self._reader, self._writer = streams
        self._sent: deque[asyncio.Future[list[Answer]]] = deque()
        self._reading = asyncio.create_task(self._read())

    @property
    def number(self) -> int:
        """The number that the operating system gave to the process."""
        return self._process.pid or 0

    @property
    def is_alive(self) -> bool:
        """Whether it can be given batches."""
        return not self._reading.done()

    async def answers(self, bodies: list[bytes], seconds: float) -> list[Answer]:
        """Return the answers to a batch; ``WorkerDiedError`` if none come."""
        if not self.is_alive:
            raise WorkerDiedError
        future: asyncio.Future[list[Answer]] = asyncio.get_running_loop().create_future()
        self._sent.append(future)
        self._writer.write(framed(RequestBatch(bodies)))
        try:
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError:
            self.kill()
            raise WorkerDiedError from None

    async def death(self) -> None:
        """Wait until the process is gone."""
        await asyncio.shield(self._reading)

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    async def end(self) -> None:
        """Let the process end: it has nothing left to do."""
        await _closed(self._writer)
        await asyncio.to_thread(self._process.join, _SECONDS_TO_END)
        if self._process.is_alive():
            self.kill()
            await asyncio.to_thread(self._process.join)
        self._reading.cancel()

    async def _read(self) -> None:
        """Hand the answers on until the process is gone."""
        try:
            while True:
                message = await read_message(self._reader, Answers)
                future = self._sent.popleft()
                if not future.done():
                    future.set_result(message.answers)
        except _GONE:
            pass
        finally:
            for future in self._sent:
                if not future.done():
                    future.set_exception(WorkerDiedError())


async def _closed(writer: StreamWriter) -> None:
    """Close a connection to a process that may be gone."""
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


def preload(model: Path) -> None:
    """Let workers begin with all code loaded that ``model`` needs; before the first one is started."""
    needed = "trustag.export.exported_tagger" if is_exported(model) else "trustag.models.saving"
    _PROCESSES.set_forkserver_preload([*_PRELOADED, needed])


async def start_worker(model: Path, tokenizer: str, limits: Limits) -> Worker:
    """Return a worker that has loaded the model; ``InputError`` says why it could not."""
    ours, theirs = socket.socketpair()
    process = _PROCESSES.Process(target=enter, args=(theirs, model, tokenizer, limits), daemon=True)
    with theirs:
        await asyncio.to_thread(process.start)
    streams = await asyncio.open_connection(sock=ours, limit=_BUFFER)
    try:
        async with asyncio.timeout(_SECONDS_TO_LOAD):
            loaded = await read_message(streams[0], Loaded)
    except (*_GONE, TimeoutError):
        loaded = Loaded(problem=f"{model}: the process that loads it died; there may be too little memory")
    if loaded.problem:
        await _closed(streams[1])
        process.kill()
        raise InputError(loaded.problem)
    return Worker(process, streams, loaded.card)
