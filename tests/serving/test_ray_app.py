"""The application on a local Ray cluster gives the answers of the model, and refuses what the server refuses."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.serving.small_model import TEXTS, expected, same

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # Ray's own, about pydantic
    from trustag.serving.ray_app import AppOptions

PROGRAM = """
import json, socket, sys
from concurrent.futures import ThreadPoolExecutor
import httpx, ray
from ray import serve
from trustag.serving.ray_app import AppOptions, app

with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
ray.init(include_dashboard=False, num_cpus=1, object_store_memory=80_000_000, log_to_driver=False)
serve.start(http_options={"host": "127.0.0.1", "port": port, "num_cpus": 0})
serve.run(app(AppOptions(model=sys.argv[1], cpus=0.5)))
url = f"http://127.0.0.1:{port}/predict"
texts = json.load(sys.stdin)
with httpx.Client(timeout=120) as client, ThreadPoolExecutor(8) as threads:
    found = list(threads.map(lambda text: client.post(url, json={"text": text}).json(), texts))
    wrong = [client.post(url, content=body).status_code for body in (b"{", b"{}", b"x" * 2_000_000)]
    wrong.append(client.get(url).status_code)
serve.shutdown()
ray.shutdown()
print("FOUND" + json.dumps([found, wrong]))
"""


@pytest.mark.slow
def test_a_local_cluster_gives_the_same_entities(model: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(model)],
        input=json.dumps(TEXTS[:20]),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found, wrong = json.loads(done.stdout.partition("FOUND")[2])
    for answer, entities in zip(found, expected(model, *TEXTS[:20]), strict=True):
        assert same(answer["entities"], entities)
    assert wrong == [400, 422, 413, 404]


def test_options_that_are_unknown_or_impossible_are_refused() -> None:
    with pytest.raises(ValidationError, match="replicas"):
        AppOptions(model="run", replicas=0)
    with pytest.raises(ValidationError, match="extra"):
        AppOptions.model_validate({"model": "run", "modell": "x"})
