"""The queue between visitors and workers: bounded, in order, and taken from in batches."""

import asyncio
from collections import deque

from trustag.serving.limits import Limits
from trustag.serving.worker_messages import Answer


class FullError(Exception):
    """No more requests can wait."""


class Asked:
    """A request that waits for its answer."""

    __slots__ = ("answer", "attempts", "body")

    def __init__(self, body: bytes, answer: "asyncio.Future[Answer]") -> None:
        self.body = body
        self.answer = answer
        self.attempts = 0


class WaitingRequests:
    """The requests that no worker has been given yet, oldest first."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._requests: deque[Asked] = deque()
        self._bytes = 0
        self._takers: deque[asyncio.Future[None]] = deque()

    def __len__(self) -> int:
        return len(self._requests)

    def put(self, body: bytes) -> "asyncio.Future[Answer]":
        """Add a request and return the future of its answer; ``FullError`` if too many wait already."""
        limits = self._limits
        if len(self._requests) >= limits.waiting or self._bytes + len(body) > limits.waiting_bytes:
            raise FullError
        asked = Asked(body, asyncio.get_running_loop().create_future())
        self._requests.append(asked)
        self._bytes += len(body)
        self._wake()
        return asked.answer

    def put_back(self, batch: list[Asked]) -> None:
        """Put requests whose worker died back in front."""
        for asked in reversed(batch):
            self._requests.appendleft(asked)
            self._bytes += len(asked.body)
        self._wake()

    async def take(self) -> list[Asked]:
        """Return the oldest requests as soon as there are any; those that nobody waits for any more are dropped."""
        while True:
            batch = self._next_batch()
            if batch:
                return batch
            taker: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._takers.append(taker)
            try:
                await taker
            except asyncio.CancelledError:
                self._wake()  # it may have been woken already, so somebody else has to look
                raise

    def _next_batch(self) -> list[Asked]:
        batch: list[Asked] = []
        size = 0
        while self._requests and len(batch) < self._limits.batch and size < self._limits.batch_bytes:
            if batch and self._requests[0].attempts:
                break
            asked = self._requests.popleft()
            self._bytes -= len(asked.body)
            if asked.answer.done():
                continue
            batch.append(asked)
            size += len(asked.body)
            if asked.attempts:
                break  # its worker died: should it be the reason, others must not share its fate again
        return batch

    def _wake(self) -> None:
        """Let one taker look again."""
        while self._takers:
            taker = self._takers.popleft()
            if not taker.done():
                taker.set_result(None)
                return
