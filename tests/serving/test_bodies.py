"""Bodies and lines arrive whole however they are cut; too much, too slow and too late are told apart."""

import asyncio
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive

from trustag.serving.bodies import GoneError, read_body, read_lines
from trustag.serving.limits import Limits
from trustag.serving.queries import RefusedError


def arriving(chunks: Iterable[bytes], *, ends: bool = True) -> Receive:
    """Return a body in pieces; without an end, the client is gone after the last."""
    messages: list[Message] = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    messages.append({"type": "http.request", "body": b"", "more_body": False} if ends else {"type": "http.disconnect"})

    async def receive() -> Message:
        return messages.pop(0)

    return receive


async def silent() -> Message:
    await asyncio.sleep(3600)
    return {}


async def lines_of(receive: Receive, limits: Limits) -> list[bytes]:
    return [line async for line in read_lines(receive, limits)]


@given(st.lists(st.binary(max_size=4), max_size=6))
def test_a_body_is_its_pieces(chunks: list[bytes]) -> None:
    assert asyncio.run(read_body({"headers": []}, arriving(chunks), Limits())) == b"".join(chunks)


@given(st.lists(st.text("ab \n", max_size=4), max_size=6))
def test_lines_are_those_of_the_whole_without_the_blank_ones(chunks: list[str]) -> None:
    expected = [line.encode() for line in "".join(chunks).split("\n") if line.strip()]
    assert asyncio.run(lines_of(arriving([chunk.encode() for chunk in chunks]), Limits())) == expected


def refused(limits: Limits, receive: Receive, length: bytes | None = None) -> int:
    headers = [] if length is None else [(b"content-length", length)]
    with pytest.raises(RefusedError) as caught:
        asyncio.run(read_body({"headers": headers}, receive, limits))
    return caught.value.status


def test_what_is_too_large_is_refused_as_soon_as_it_is_known() -> None:
    limits = Limits(body_bytes=3)
    assert refused(limits, arriving([b"ab", b"cd"])) == 413
    assert refused(limits, arriving([b"abcd"])) == 413
    for length in (b"4", b"9" * 5000, b"-1", b"x"):
        assert refused(limits, silent, length) == 413
    assert asyncio.run(read_body({"headers": [(b"content-length", b"3")]}, arriving([b"abc"]), limits)) == b"abc"


def test_what_is_too_slow_is_refused() -> None:
    limits = Limits(seconds=0.01)
    assert refused(limits, silent) == 408
    with pytest.raises(RefusedError) as caught:
        asyncio.run(lines_of(silent, limits))
    assert caught.value.status == 408


def test_a_line_too_long_ends_the_stream_after_the_lines_before() -> None:
    async def read(found: list[bytes]) -> None:
        async for line in read_lines(arriving([b"a\nbcd", b"efg\n"]), Limits(body_bytes=3)):
            found.append(line)  # noqa: PERF401 - those before the error count

    found: list[bytes] = []
    with pytest.raises(RefusedError) as caught:
        asyncio.run(read(found))
    assert (caught.value.status, found) == (413, [b"a"])


def test_a_client_that_is_gone_is_noticed() -> None:
    with pytest.raises(GoneError):
        asyncio.run(read_body({"headers": []}, arriving([b"a"], ends=False), Limits()))
    with pytest.raises(GoneError):
        asyncio.run(lines_of(arriving([b"a"], ends=False), Limits()))
