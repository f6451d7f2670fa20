"""Streams of JSON Lines: every line that is not blank gets one line, in order, while the rest is still arriving."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, TypeAlias

from starlette.types import Receive, Send

from trustag.serving.bodies import GoneError, read_lines
from trustag.serving.limits import Limits
from trustag.serving.pool import Pool
from trustag.serving.queries import RefusedError, refusal
from trustag.serving.waiting import FullError
from trustag.serving.worker_messages import Answer

_PAUSE: Final = 0.02
_LARGE: Final = 1 << 16
_HEADERS: Final = [
    (b"content-type", b"application/x-ndjson"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
]
_Queue: TypeAlias = "asyncio.Queue[asyncio.Future[Answer] | None]"


async def answer_lines(pool: Pool, receive: Receive, send: Send) -> int:
    """Answer a stream line by line, and return how many texts were read.

    A line that is refused gets a line with its error. Only so many lines are under way together; the sender has to
    wait where workers are slower.
    """
    answers: _Queue = asyncio.Queue(pool.limits.stream_ahead)
    reading = asyncio.create_task(_read(pool, receive, answers))
    texts = 0
    try:
        await _sent(send, {"type": "http.response.start", "status": 200, "headers": _HEADERS}, pool.limits)
        async for lines, count in _written(answers, pool.limits.seconds):
            await _sent(send, {"type": "http.response.body", "body": lines, "more_body": True}, pool.limits)
            texts += count
        await _sent(send, {"type": "http.response.body", "body": b""}, pool.limits)
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    return texts


async def _read(pool: Pool, receive: Receive, answers: _Queue) -> None:
    """Give the lines to the workers; a problem with the stream itself becomes its last line."""
    try:
        async for line in read_lines(receive, pool.limits):
            await answers.put(await _asked(pool, line))
    except RefusedError as refused:
        ended: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        ended.set_result(_refused(refused))
        await answers.put(ended)
    except GoneError:
        pass
    await answers.put(None)


async def _asked(pool: Pool, line: bytes) -> "asyncio.Future[Answer]":
    """Return the future of the answer to a line, as soon as there is room for it."""
    while True:
        try:
            return pool.waiting.put(line)
        except FullError:
            await asyncio.sleep(_PAUSE)


async def _written(answers: _Queue, seconds: float) -> AsyncIterator[tuple[bytes, int]]:
    """Yield the answers as lines, all that are there at a time, and how many texts they are about."""
    while (future := await answers.get()) is not None:
        lines, texts = bytearray(), 0
        while True:
            answer = await _answered(future, seconds)
            lines += answer.body + b"\n"
            texts += answer.texts
            if answers.empty() or len(lines) > _LARGE:
                break
            following = answers.get_nowait()
            if following is None:
                yield bytes(lines), texts
                return
            future = following
        yield bytes(lines), texts


async def _answered(future: "asyncio.Future[Answer]", seconds: float) -> Answer:
    try:
        async with asyncio.timeout(seconds):
            return await future
    except TimeoutError:
        return _refused(RefusedError(503, f"not answered within {seconds:g} seconds; try again later"))
    except RefusedError as refused:
        return _refused(refused)


def _refused(refused: RefusedError) -> Answer:
    return Answer(refused.status, refusal(refused))


async def _sent(send: Send, message: dict[str, object], limits: Limits) -> None:
    """Send a part of the response; a client that does not read it is left alone."""
    try:
        async with asyncio.timeout(limits.seconds):
            await send(message)
    except TimeoutError:
        raise GoneError from None
