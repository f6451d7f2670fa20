"""Messages between the server and a worker process: their length, then MessagePack."""

import socket
from asyncio import StreamReader
from struct import Struct
from typing import Final, TypeVar

import msgspec

Message = TypeVar("Message")
_LENGTH: Final = Struct(">I")
_encode = msgspec.msgpack.Encoder().encode


class RequestBatch(msgspec.Struct, array_like=True):
    """Requests for a worker to answer together."""

    bodies: list[bytes]


class Answer(msgspec.Struct, array_like=True):
    """The answer to one request: a status of HTTP, a JSON text, and how many texts were read."""

    status: int
    body: bytes
    texts: int = 0


class Answers(msgspec.Struct, array_like=True):
    """The answers to a batch, in its order."""

    answers: list[Answer]


class Loaded(msgspec.Struct, array_like=True):
    """What a worker says once: that it is ready, with the card of its model as JSON, or why it cannot be."""

    card: bytes = b""
    problem: str = ""


def framed(message: msgspec.Struct) -> bytes:
    """Return a message as it is sent."""
    content = _encode(message)
    return _LENGTH.pack(len(content)) + content


async def read_message(reader: StreamReader, kind: type[Message]) -> Message:
    """Return the next message from a worker; ``IncompleteReadError`` if it is gone."""
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    return msgspec.msgpack.decode(await reader.readexactly(length), type=kind)


def receive(connection: socket.socket, kind: type[Message]) -> Message | None:
    """Return the next message from the server; None if it is gone."""
    head = _exactly(connection, _LENGTH.size)
    if head is None:
        return None
    content = _exactly(connection, _LENGTH.unpack(head)[0])
    return None if content is None else msgspec.msgpack.decode(content, type=kind)


def _exactly(connection: socket.socket, count: int) -> bytearray | None:
    buffer = bytearray(count)
    view, done = memoryview(buffer), 0
    while done < count:
        received = connection.recv_into(view[done:])
        if not received:
            return None
        done += received
    return buffer
