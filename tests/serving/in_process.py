"""Requests to the door without a network: the real application, with workers that a test plays."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx

from trustag.serving.access import TokenAccess
from trustag.serving.door import Door
from trustag.serving.limits import Limits
from trustag.serving.metrics import Metrics
from trustag.serving.pool import Pool, Served
from trustag.serving.web_pages import web_pages
from trustag.serving.worker_messages import Answer

HOST = "127.0.0.1:8000"
OPEN = TokenAccess(None, frozenset({HOST}))
JSON = {"Content-Type": "application/json"}
LINES = {"Content-Type": "application/x-ndjson"}


class Played:
    """A pool whose requests are answered with their own text, or left waiting."""

    def __init__(self, limits: Limits | None = None, access: TokenAccess = OPEN, *, answers: bool = True) -> None:
        self.pool = Pool(Served(Path("none"), limits=limits or Limits()), Metrics())
        self.metrics = Metrics()
        self.events: list[dict[str, object]] = []
        self.door = Door(
            self.pool,
            web_pages(self.pool, self.metrics),
            access,
            self.metrics,
            lambda name, facts: self.events.append({"event": name, **facts}),
        )
        self._answers = answers

    def run(self, ask: Callable[[httpx.AsyncClient], Awaitable[httpx.Response]]) -> httpx.Response:
        """Return the response to what ``ask`` asks."""

        async def asked() -> httpx.Response:
            worker = asyncio.create_task(self._work()) if self._answers else None
            transport = httpx.ASGITransport(app=self.door)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                try:
                    return await ask(client)
                finally:
                    if worker is not None:
                        worker.cancel()

        return asyncio.run(asked())

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.run(lambda client: client.get(path, headers=headers))

    def post(self, body: bytes, headers: dict[str, str] = JSON, path: str = "/predict") -> httpx.Response:
        return self.run(lambda client: client.post(path, content=body, headers=headers))

    async def _work(self) -> None:
        while True:
            for asked in await self.pool.waiting.take():
                asked.answer.set_result(Answer(200, json.dumps({"echo": asked.body.decode()}).encode(), 1))
