"""The way in for requests: who may ask, how much, for how long; predictions take the shortest way through it."""

import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trustag.serving.access import ClientLimit, TokenAccess, check_access
from trustag.serving.bodies import GoneError, read_body
from trustag.serving.events import Tell
from trustag.serving.line_streams import answer_lines
from trustag.serving.metrics import Metrics
from trustag.serving.pool import Pool
from trustag.serving.queries import RefusedError, refusal
from trustag.web.visitors import BROWSER_HEADERS

PREDICT: Final = "/predict"
KNOWN: Final = frozenset({"/", "/health", "/ready", "/model", "/metrics", "/openapi.json", PREDICT})
_BROWSER_HEADERS: Final = [(name.lower().encode(), value.encode()) for name, value in BROWSER_HEADERS.items()]
_JSON: Final = (b"content-type", b"application/json")
_SAFE: Final = [(b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store")]
_FURTHER: Final = {
    401: (b"www-authenticate", b"Bearer"),
    405: (b"allow", b"POST"),
    429: (b"retry-after", b"1"),
    503: (b"retry-after", b"1"),
}
_LINES: Final = frozenset({"application/x-ndjson", "application/jsonl", "application/jsonlines"})
_JSON_TYPES: Final = frozenset({"application/json", ""})


class Door:
    """The ASGI application: it refuses what is not permitted, answers predictions, and leaves the rest to pages."""

    def __init__(
        self, pool: Pool, pages: ASGIApp, access: TokenAccess, metrics: Metrics, tell: Tell | None = None
    ) -> None:
        self.pool = pool
        self.pages = pages
        self.access = access
        self.metrics = metrics
        self._tell = tell
        self._clients = ClientLimit(pool.limits.per_client)
        self._done = metrics.requests.labels(PREDICT, "200")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        answer = _Response(send)
        try:
            check_access(scope, self.access)
            if scope["path"] == PREDICT:
                await self._predict(scope, receive, answer)
            else:
                await self.pages(scope, receive, answer.with_browser_headers)
        except RefusedError as refused:
            await answer.send_json(refused.status, refusal(refused))
        except GoneError:
            answer.status = 499  # nobody is there any more
        self._count(scope, answer.status, time.perf_counter() - began)

    async def _predict(self, scope: Scope, receive: Receive, answer: "_Response") -> None:
        if scope["method"] != "POST":
            raise RefusedError(405, "send a POST request")
        kind = _content_type(scope["headers"])
        self._clients.enter(scope)
        try:
            if kind in _LINES:
                await answer_lines(self.pool, receive, answer.send)
                answer.status = 200
            elif kind in _JSON_TYPES:
                found = await self.pool.answer(await read_body(scope, receive, self.pool.limits))
                await answer.send_json(found.status, found.body)
                self.metrics.texts.inc(found.texts)
            else:
                raise RefusedError(415, "send application/json, or application/x-ndjson for a stream of lines")
        finally:
            self._clients.leave(scope)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        path = scope["path"]
        if path == PREDICT and status == 200:
            self._done.inc()
            self.metrics.seconds.observe(seconds)
        else:
            # A path may hold anything, and every new label would stay in memory.
            self.metrics.requests.labels(path if path in KNOWN else "other", str(status)).inc()
        if self._tell is not None:
            facts = {"path": path if path in KNOWN else "other", "method": scope["method"], "status": status}
            self._tell("request", {**facts, "milliseconds": round(1000 * seconds, 3)})


class _Response:
    """The response to one request: it remembers its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def send(self, message: Message) -> None:
        """Send a part of the response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)

    async def with_browser_headers(self, message: Message) -> None:
        """Send a part of a response that a browser may show."""
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *_BROWSER_HEADERS]
        await self.send(message)

    async def send_json(self, status: int, body: bytes) -> None:
        """Send a whole response; one that has begun already cannot become another."""
        if self.status:
            return
        headers = [_JSON, (b"content-length", str(len(body)).encode()), *_SAFE]
        if status in _FURTHER:
            headers.append(_FURTHER[status])
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def _content_type(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the type of a body without its parameters; empty if none is named."""
    for name, value in headers:
        if name == b"content-type":
            return value.decode("latin-1").partition(";")[0].strip().lower()
    return ""
