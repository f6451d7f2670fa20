"""Real worker processes: they answer, they are noticed when they die, and those that hang are ended."""

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from tests.serving.small_model import TEXTS, expected, same
from trustag.errors import InputError
from trustag.serving.limits import Limits
from trustag.serving.workers import WorkerDiedError, preload, start_worker

BODIES = [json.dumps({"text": text}).encode() for text in TEXTS[:2]]


def test_a_worker_answers_until_it_dies(model: Path) -> None:
    async def work() -> None:
        preload(model)
        worker = await start_worker(model, "auto", Limits())
        assert json.loads(worker.card)["types"] == ["PER", "LOC"]
        answers = await worker.answers(BODIES, 60)
        for answer, text in zip(answers, TEXTS, strict=False):
            assert same(json.loads(answer.body)["entities"], expected(model, text)[0])
        waiting = asyncio.create_task(worker.answers(BODIES, 60))
        os.kill(worker.number, signal.SIGSTOP)
        await asyncio.sleep(0)
        os.kill(worker.number, signal.SIGKILL)
        await worker.death()
        assert not worker.is_alive
        # It may have answered before it was stopped.
        assert isinstance((await asyncio.gather(waiting, return_exceptions=True))[0], list | WorkerDiedError)
        with pytest.raises(WorkerDiedError):
            await worker.answers(BODIES, 60)
        await worker.end()

    asyncio.run(work())


def test_a_worker_that_hangs_is_ended(model: Path) -> None:
    async def hang() -> None:
        worker = await start_worker(model, "auto", Limits())
        os.kill(worker.number, signal.SIGSTOP)
        with pytest.raises(WorkerDiedError):
            await worker.answers(BODIES, 0.05)
        await worker.death()
        await worker.end()

    asyncio.run(hang())


def test_a_model_that_cannot_be_loaded_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model here"):
        asyncio.run(start_worker(tmp_path, "auto", Limits()))
