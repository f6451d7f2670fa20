"""A worker says that it is ready, answers batch after batch, and ends with the server; a bad model is told."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving.small_model import TEXTS, expected, loaded, same
from trustag.export.model_loading import load
from trustag.export.writing import export_model
from trustag.models.saving import load_model
from trustag.serving.limits import Limits
from trustag.serving.model_process import card_of, run
from trustag.serving.worker_messages import Answers, Loaded, RequestBatch, framed, receive


class EndedError(Exception):
    """Stands for the end of the process."""


def test_a_worker_answers_what_it_is_sent(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(code: int) -> None:
        raise EndedError

    monkeypatch.setattr(os, "_exit", ended)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    ours, theirs = socket.socketpair()
    bodies = [json.dumps({"text": text}).encode() for text in TEXTS[:3]]
    with ours, theirs:
        ours.sendall(framed(RequestBatch(bodies[:2])) + framed(RequestBatch(bodies[2:])))
        ours.shutdown(socket.SHUT_WR)
        with pytest.raises(EndedError):
            run(theirs, model, "auto", Limits())
        ready, first, second = receive(ours, Loaded), receive(ours, Answers), receive(ours, Answers)
    assert ready is not None
    assert json.loads(ready.card) == card_of(loaded(model))
    assert first is not None
    assert second is not None
    for answer, text in zip([*first.answers, *second.answers], TEXTS, strict=False):
        assert same(json.loads(answer.body)["entities"], expected(model, text)[0])


def test_what_serves_an_exported_model_does_not_load_torch() -> None:
    code = "import sys, trustag.serving.model_process, trustag.export.exported_tagger; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "False"


def test_an_exported_model_describes_itself_like_the_model_it_was_made_from(model: Path, tmp_path: Path) -> None:
    export_model(load_model(model), tmp_path / "exported")
    assert card_of(load(tmp_path / "exported")) == card_of(load(model))


def test_a_model_that_cannot_be_loaded_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        run(theirs, tmp_path, "auto", Limits())
        loaded_message = receive(ours, Loaded)
    assert loaded_message is not None
    assert "no model here" in loaded_message.problem
