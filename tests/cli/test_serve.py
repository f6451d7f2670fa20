"""``trustag serve``: what it prints, and what it refuses to begin with."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import run
from tests.serving.served_model import ServedModel
from tests.serving.small_model import write_model


def test_a_server_prints_its_address_and_logs_lines_of_json(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("0123456789abcdef\n")
    with ServedModel(write_model(tmp_path / "model"), "--token-file", str(tmp_path / "token")) as served:
        assert served.url.startswith("http://127.0.0.1:")
        with served.client() as client:
            assert client.post("/predict", json={"text": "x"}).status_code == 401
            client.headers["Authorization"] = "Bearer 0123456789abcdef"
            assert client.post("/predict", json={"text": "x"}).status_code == 200
    assert [json.loads(line)["event"] for line in served.log] == ["worker ready", "stopping", "stopped"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--host", "0.0.0.0"), "trustag: 0.0.0.0 can be reached from other machines; give a token with --token-file"),
        (("--token-file", "none"), "trustag: none: cannot be read"),
        ((), "no model here; name a model folder or a run"),
        (("--tokenizer", "none"), "unknown tokenizer 'none'"),
    ],
)
def test_what_cannot_be_served_is_one_line(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    model = write_model(tmp_path / "model") if "--tokenizer" in options else tmp_path
    done = run("serve", str(model), "--port", "0", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
