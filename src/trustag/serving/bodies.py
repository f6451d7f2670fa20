"""The bodies of requests, as they arrive: whole ones and lines, none too large and none too slow."""

import asyncio
from collections.abc import AsyncIterator

from starlette.types import Receive, Scope

from trustag.serving.limits import Limits
from trustag.serving.queries import RefusedError

_MOST_DIGITS = 15


class GoneError(Exception):
    """The client has closed the connection."""


async def read_body(scope: Scope, receive: Receive, limits: Limits) -> bytes:
    """Return the body of a request; one that is too large or too slow is refused."""
    limit = limits.body_bytes
    too_large = RefusedError(413, f"the body is larger than {limit:,} bytes; send several requests")
    for name, value in scope["headers"]:
        if name == b"content-length" and (not value.isdigit() or len(value) > _MOST_DIGITS or int(value) > limit):
            raise too_large
    try:
        async with asyncio.timeout(limits.seconds):
            body, more = await _chunk(receive)
            if not more and len(body) <= limit:
                return body
            whole = bytearray(body)
            while more and len(whole) <= limit:
                body, more = await _chunk(receive)
                whole += body
    except TimeoutError:
        raise RefusedError(408, f"the body did not arrive within {limits.seconds:g} seconds") from None
    if len(whole) > limit:
        raise too_large
    return bytes(whole)


async def read_lines(receive: Receive, limits: Limits) -> AsyncIterator[bytes]:
    """Yield the lines of a body that are not blank; one that is too long, or a pause too long, ends it."""
    too_long = RefusedError(413, f"a line of more than {limits.body_bytes:,} bytes; the rest is not read")
    rest = bytearray()
    more = True
    while more:
        try:
            async with asyncio.timeout(limits.seconds):
                body, more = await _chunk(receive)
        except TimeoutError:
            raise RefusedError(408, f"no line arrived for {limits.seconds:g} seconds; the rest is not read") from None
        rest += body
        *lines, last = rest.split(b"\n") if b"\n" in body else [rest]
        for line in lines:
            if len(line) > limits.body_bytes:
                raise too_long
            if line.strip():
                yield bytes(line)
        rest = last
        if len(rest) > limits.body_bytes:
            raise too_long
    if rest.strip():
        yield bytes(rest)


async def _chunk(receive: Receive) -> tuple[bytes, bool]:
    """Return the next part of a body, and whether there is more."""
    message = await receive()
    if message["type"] == "http.disconnect":
        raise GoneError
    return message.get("body", b""), message.get("more_body", False)
