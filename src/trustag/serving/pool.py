"""The workers of a server: kept alive, given what waits, and exchanged for others with a newer model."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from trustag.errors import InputError
from trustag.serving.events import Tell, untold
from trustag.serving.limits import Limits
from trustag.serving.metrics import Metrics
from trustag.serving.queries import RefusedError
from trustag.serving.snapshots import copy_model
from trustag.serving.waiting import Asked, FullError, WaitingRequests
from trustag.serving.worker_messages import Answer
from trustag.serving.workers import Worker, WorkerDiedError, preload, start_worker

_UNDER_WAY: Final = 2  # batches of one worker: it finds the next as soon as it has answered one
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 5.0


@dataclass(frozen=True, slots=True)
class Served:
    """A model to serve, by how many workers, and how much they take on; texts are cut into tokens by ``tokenizer``."""

    model: Path
    workers: int = 1
    limits: Limits = field(default_factory=Limits)
    tokenizer: str = "auto"


class Generation:
    """Workers that hold the same copy of a model."""

    def __init__(self, folder: "tempfile.TemporaryDirectory[str]") -> None:
        self.folder = folder
        self.workers: list[Worker] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.is_current = True

    @property
    def model(self) -> Path:
        """The copy of the model."""
        return Path(self.folder.name) / "model"


class Pool:
    """Answers requests with worker processes; ``async with`` starts and ends them."""

    def __init__(self, served: Served, metrics: Metrics, tell: Tell = untold) -> None:
        self.served = served
        self.limits = served.limits
        self.waiting = WaitingRequests(served.limits)
        self.is_stopping = False
        self._metrics = metrics
        self._tell = tell
        self._current: Generation | None = None
        self._reloading = asyncio.Lock()

    @property
    def card(self) -> bytes:
        """What the model says of itself, as JSON."""
        workers = self._current.workers if self._current else []
        return workers[0].card if workers else b"{}"

    @property
    def alive(self) -> int:
        """How many workers can answer."""
        return sum(worker.is_alive for worker in self._current.workers) if self._current else 0

    async def answer(self, body: bytes) -> Answer:
        """Return the answer to a request; ``RefusedError`` if too many wait, or it takes too long."""
        try:
            future = self.waiting.put(body)
        except FullError:
            raise RefusedError(503, "too many requests are waiting; try again later") from None
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await future
        except TimeoutError:
            reason = f"not answered within {self.limits.seconds:g} seconds; try again later"
            raise RefusedError(503, reason) from None

    async def reload(self) -> bool:
        """Load the model anew and exchange the workers; a model that cannot be loaded changes nothing."""
        async with self._reloading:
            try:
                fresh = await self._start()
            except (InputError, OSError) as error:
                self._metrics.reloads.labels("refused").inc()
                self._tell("model refused", {"reason": str(error)})
                return False
            old, self._current = self._current, fresh
            self._metrics.reloads.labels("done").inc()
            self._tell("model reloaded", {"workers": [worker.number for worker in fresh.workers]})
            if old is not None:
                await self._retire(old)
            return True

    async def __aenter__(self) -> Self:
        preload(self.served.model)
        self._current = await self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers once they have answered what they were given."""
        if self._current is not None:
            await self._retire(self._current)

    async def _start(self) -> Generation:
        """Return workers that have all loaded the model of the folder as it is now."""
        generation = Generation(tempfile.TemporaryDirectory(prefix="trustag-serve-"))
        try:
            await asyncio.to_thread(copy_model, self.served.model, generation.model)
            for _ in range(self.served.workers):
                worker = await start_worker(generation.model, self.served.tokenizer, self.limits)
                generation.workers.append(worker)
                self._tell("worker ready", {"worker": worker.number})
        except BaseException:
            for worker in generation.workers:
                worker.kill()
            generation.folder.cleanup()
            raise
        generation.tasks = [
            asyncio.create_task(self._keep_alive(generation, place)) for place in range(len(generation.workers))
        ]
        return generation

    async def _retire(self, generation: Generation) -> None:
        """Let workers answer what they were given, and end them."""
        generation.is_current = False
        await _cancelled(generation.tasks)
        await asyncio.gather(*(worker.end() for worker in generation.workers))
        generation.folder.cleanup()

    async def _keep_alive(self, generation: Generation, place: int) -> None:
        """Feed one worker, and replace it whenever it dies."""
        pause = _FIRST_PAUSE
        while generation.is_current:
            worker = generation.workers[place]
            feeders = [asyncio.create_task(self._feed(worker)) for _ in range(_UNDER_WAY)]
            try:
                await worker.death()
            finally:
                await _cancelled(feeders)
            self._metrics.deaths.inc()
            self._tell("worker died", {"worker": worker.number})
            await worker.end()
            while not generation.workers[place].is_alive:
                await asyncio.sleep(pause)
                try:
                    worker = await start_worker(generation.model, self.served.tokenizer, self.limits)
                except (InputError, OSError) as error:
                    pause = min(2 * pause, _LONGEST_PAUSE)
                    self._tell("worker refused", {"reason": str(error)})
                    continue
                generation.workers[place] = worker
                self._tell("worker ready", {"worker": worker.number})

    async def _feed(self, worker: Worker) -> None:
        """Give a worker batches until it dies, or until this is cancelled while nothing is under way."""
        while worker.is_alive:
            batch = await self.waiting.take()
            given = asyncio.ensure_future(self._given(worker, batch))
            try:
                await asyncio.shield(given)
            except asyncio.CancelledError:
                await given
                raise

    async def _given(self, worker: Worker, batch: list[Asked]) -> None:
        """Let a worker answer a batch; what it leaves unanswered by dying waits for another."""
        self._metrics.batches.observe(len(batch))
        try:
            answers = await worker.answers([asked.body for asked in batch], self.limits.seconds)
        except WorkerDiedError:
            self._put_back(batch)
            return
        for asked, answer in zip(batch, answers, strict=True):
            if not asked.answer.done():
                asked.answer.set_result(answer)

    def _put_back(self, batch: list[Asked]) -> None:
        for asked in batch:
            asked.attempts += 1
            if asked.attempts >= self.limits.attempts and not asked.answer.done():
                asked.answer.set_exception(RefusedError(503, "the workers died that were given it; try again later"))
        self.waiting.put_back([asked for asked in batch if not asked.answer.done()])


async def _cancelled(tasks: "Sequence[asyncio.Task[None]]") -> None:
    """Cancel tasks, and wait until they have brought to an end what they must."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
