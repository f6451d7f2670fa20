"""The real server over HTTP: answers, signals, deaths, and who may listen where."""

import json
import os
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.serving.in_process import LINES
from tests.serving.served_model import ServedModel
from tests.serving.small_model import TEXTS, TOKENS, expected, same, write_model
from trustag.errors import InputError
from trustag.serving.http_server import bind


def test_an_address_that_others_can_reach_needs_a_token() -> None:
    with pytest.raises(InputError, match="0.0.0.0 can be reached from other machines; give a token with --token-file"):
        bind("0.0.0.0", 0, None)
    place = bind("0.0.0.0", 0, "0123456789abcdef")
    place.listener.close()
    assert place.access.hosts is None
    local = bind("127.0.0.1", 0, None)
    local.listener.close()
    assert local.access.hosts is not None
    assert local.url.removeprefix("http://") in local.access.hosts


def test_answers_are_those_of_the_model_and_survive_death_reload_and_stop(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    old, new = shutil.copytree(folder, tmp_path / "old"), write_model(tmp_path / "new", seed=2)
    with ServedModel(folder, "--log-requests") as served, served.client() as client:
        found = client.post("/predict", json={"inputs": [*TEXTS, *TOKENS]}).json()["results"]
        for result, entities in zip(found, expected(old, *TEXTS, *TOKENS), strict=True):
            assert same(result["entities"], entities)
        lines = "".join(json.dumps({"text": text}) + "\n" for text in TEXTS)
        streamed = client.post("/predict", content=lines, headers=LINES).text.splitlines()
        for line, entities in zip(streamed, expected(old, *TEXTS), strict=True):
            assert same(json.loads(line)["entities"], entities)
        assert client.get("/model").json()["types"] == ["PER", "LOC"]
        assert client.get("/ready").status_code == 200

        os.kill(served.wait_for("worker ready")["worker"], signal.SIGKILL)
        assert same(client.post("/predict", json={"text": TEXTS[1]}).json()["entities"], expected(old, TEXTS[1])[0])
        served.wait_for("worker died")

        shutil.copytree(new, folder, dirs_exist_ok=True)
        served.signal(signal.SIGHUP)
        served.wait_for("model reloaded")
        assert same(client.post("/predict", json={"text": TEXTS[1]}).json()["entities"], expected(new, TEXTS[1])[0])
    assert not any(TEXTS[1][:20] in line for line in served.log)


def test_what_has_arrived_is_answered_before_the_server_ends(model: Path) -> None:
    body = {"inputs": TEXTS * 20}
    with ServedModel(model) as served, ThreadPoolExecutor() as threads, served.client() as client:
        asked = [threads.submit(client.post, "/predict", json=body) for _ in range(6)]
        while client.get("/health").json()["waiting"] == 0 and not all(one.done() for one in asked):
            pass
        served.signal(signal.SIGTERM)
        for one in asked:
            assert len(one.result().json()["results"]) == len(body["inputs"])
        served.wait_for("stopped")
