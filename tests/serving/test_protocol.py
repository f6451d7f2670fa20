"""A head that is too large or never ends closes its connection; one in pieces is answered."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from tests.serving.in_process import Played
from trustag.serving.protocol import BoundedProtocol


class Hasty(BoundedProtocol):
    head_seconds = 0.2
    head_bytes = 1000


def answer_to(talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], "asyncio.Future[bytes]"]) -> bytes:
    """Return what a server says to whoever talks to it."""

    async def run() -> bytes:
        listener = socket.create_server(("127.0.0.1", 0))
        door = Played(answers=False).door
        door.access = type(door.access)(None, None)
        config = uvicorn.Config(door, http=Hasty, lifespan="off", ws="none", log_config=None)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve([listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        async with asyncio.timeout(60):
            found = await talk(reader, writer)
        writer.close()
        server.should_exit = True
        await serving
        return found

    return asyncio.run(run())


def test_a_head_in_pieces_is_read_and_the_next_one_too() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        found = b""
        for _ in range(2):
            for piece in (b"GET /health HT", b"TP/1.1\r\nHost: x", b"\r\n\r\n"):
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.01)
            found += await reader.readuntil(b"}")
        return found

    assert answer_to(talk).count(b"200 OK") == 2  # type: ignore[arg-type]


def test_a_head_that_is_too_large_or_never_ends_closes_the_connection() -> None:
    async def large(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * 300)
        return await reader.read()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET /health HTTP/1.1\r\n")
        return await reader.read()

    assert answer_to(large) == b""  # type: ignore[arg-type]
    assert answer_to(slow) == b""  # type: ignore[arg-type]
