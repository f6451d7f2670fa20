"""Requests survive the death of workers and a new model; a bad model changes nothing."""

import asyncio
import json
import os
import shutil
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.serving.small_model import TEXTS, expected, same, write_model
from trustag.errors import InputError
from trustag.serving.limits import Limits
from trustag.serving.metrics import Metrics
from trustag.serving.pool import Pool, Served
from trustag.serving.queries import RefusedError


def with_pool(served: Served, use: Callable[[Pool, list[str]], Awaitable[None]]) -> None:
    events: list[str] = []

    async def run() -> None:
        async with Pool(served, Metrics(), lambda name, facts: events.append(name)) as pool, asyncio.timeout(120):
            await use(pool, events)

    asyncio.run(run())


async def check(pool: Pool, model: Path, count: int) -> None:
    """Ask many requests at once, and check every answer."""
    texts = [TEXTS[number % len(TEXTS)] for number in range(count)]
    answers = await asyncio.gather(*(pool.answer(json.dumps({"text": text}).encode()) for text in texts))
    for answer, text in zip(answers, texts, strict=True):
        assert answer.status == 200
        assert same(json.loads(answer.body)["entities"], expected(model, text)[0])


def test_every_request_is_answered_though_all_workers_are_killed(model: Path) -> None:
    async def use(pool: Pool, events: list[str]) -> None:
        asking = asyncio.create_task(check(pool, model, 300))
        await asyncio.sleep(0.01)
        assert pool._current is not None
        for worker in pool._current.workers:
            os.kill(worker.number, signal.SIGKILL)
        await asking
        await check(pool, model, 10)
        assert "worker died" in events

    with_pool(Served(model, 2), use)


def test_a_new_model_takes_over_while_requests_are_answered(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    old, new = shutil.copytree(folder, tmp_path / "old"), write_model(tmp_path / "new", seed=2)

    async def use(pool: Pool, events: list[str]) -> None:
        await check(pool, old, 50)
        shutil.copytree(new, folder, dirs_exist_ok=True)
        await check(pool, old, 10)  # not before it is told
        asking = [asyncio.create_task(pool.answer(json.dumps({"text": TEXTS[0]}).encode())) for _ in range(300)]
        assert await pool.reload()
        await check(pool, new, 50)
        before, after = expected(old, TEXTS[0])[0], expected(new, TEXTS[0])[0]
        for answer in await asyncio.gather(*asking):
            entities = json.loads(answer.body)["entities"]
            assert same(entities, before) or same(entities, after)

        (folder / "model.json").write_text("{}")
        assert not await pool.reload()
        assert events[-1] == "model refused"
        assert pool._current is not None
        os.kill(pool._current.workers[0].number, signal.SIGKILL)
        await check(pool, new, 50)  # a worker that starts now has the model that is served, not the bad one

    with_pool(Served(folder), use)


def test_a_request_whose_workers_died_too_often_is_refused_and_others_are_answered(model: Path) -> None:
    async def use(pool: Pool, events: list[str]) -> None:
        assert pool._current is not None
        worker = pool._current.workers[0]
        os.kill(worker.number, signal.SIGSTOP)
        asked = asyncio.create_task(pool.answer(b'{"text": "x"}'))
        await asyncio.sleep(0)
        while len(pool.waiting):
            await asyncio.sleep(0.01)
        os.kill(worker.number, signal.SIGKILL)
        with pytest.raises(RefusedError, match="the workers died that were given it") as refused:
            await asked
        assert refused.value.status == 503
        await check(pool, model, 20)

    with_pool(Served(model, 1, Limits(attempts=1, seconds=60)), use)


def test_a_pool_without_a_model_does_not_start(tmp_path: Path) -> None:
    async def use(pool: Pool, events: list[str]) -> None:
        raise AssertionError

    with pytest.raises(InputError, match="no model here"):
        with_pool(Served(tmp_path), use)
