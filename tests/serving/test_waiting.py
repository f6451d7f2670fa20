"""Requests leave the queue once each, oldest first, in batches no larger than allowed."""

import asyncio

import pytest

from trustag.serving.limits import Limits
from trustag.serving.waiting import FullError, WaitingRequests


def test_batches_are_bounded_in_requests_and_bytes_and_keep_the_order() -> None:
    async def batches() -> list[list[bytes]]:
        waiting = WaitingRequests(Limits(batch=3, batch_bytes=8))
        for body in (b"a", b"b", b"c", b"d" * 9, b"e"):
            waiting.put(body)
        found = [[asked.body for asked in await waiting.take()] for _ in range(3)]
        assert len(waiting) == 0
        return found

    assert asyncio.run(batches()) == [[b"a", b"b", b"c"], [b"d" * 9], [b"e"]]


def test_more_than_may_wait_is_refused_until_there_is_room() -> None:
    async def fill() -> None:
        waiting = WaitingRequests(Limits(waiting=2, waiting_bytes=10))
        waiting.put(b"a")
        with pytest.raises(FullError):
            waiting.put(b"b" * 10)
        waiting.put(b"b")
        with pytest.raises(FullError):
            waiting.put(b"c")
        await waiting.take()
        waiting.put(b"c" * 10)

    asyncio.run(fill())


def test_what_nobody_waits_for_any_more_is_dropped() -> None:
    async def drop() -> list[bytes]:
        waiting = WaitingRequests(Limits())
        waiting.put(b"a").cancel()
        waiting.put(b"b")
        return [asked.body for asked in await waiting.take()]

    assert asyncio.run(drop()) == [b"b"]


def test_requests_whose_worker_died_come_first_and_alone() -> None:
    async def die() -> list[list[bytes]]:
        waiting = WaitingRequests(Limits())
        for body in (b"a", b"b", b"c"):
            waiting.put(body)
        batch = await waiting.take()
        for asked in batch[:2]:
            asked.attempts += 1
        waiting.put(b"d")
        waiting.put_back(batch)
        return [[asked.body for asked in await waiting.take()] for _ in range(3)]

    assert asyncio.run(die()) == [[b"a"], [b"b"], [b"c", b"d"]]


def test_takers_that_wait_are_woken_and_a_cancelled_one_passes_it_on() -> None:
    async def wake() -> list[bytes]:
        waiting = WaitingRequests(Limits())
        first, second = (asyncio.create_task(waiting.take()) for _ in range(2))
        await asyncio.sleep(0)
        waiting.put(b"a")
        first.cancel()
        async with asyncio.timeout(60):
            return [asked.body for asked in await second]

    assert asyncio.run(wake()) == [b"a"]
