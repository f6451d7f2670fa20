"""A worker process: it loads the model, then answers batches until the server is gone."""

import os
import signal
import socket
import sys
from pathlib import Path
from typing import Final

import msgspec

from trustag.errors import TrustagError
from trustag.export.model_loading import load
from trustag.models.prediction import Predictor
from trustag.serving.answering import answer_all
from trustag.serving.limits import Limits
from trustag.serving.worker_messages import Answers, Loaded, RequestBatch, framed, receive

_TRIAL: Final = "Ann Lee moved to New York ."


def run(connection: socket.socket, model: Path, tokenizer: str, limits: Limits) -> None:
    """Answer the batches that arrive on ``connection`` with the model in a folder."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The server ends its workers when their last batch is answered; a signal to all processes must not end them first.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    torch = sys.modules.get("torch")
    if torch is not None:  # an exported model needs none
        torch.set_num_threads(1)
    try:
        predictor = load(model, tokenizer)
        predictor.predict(_TRIAL)
        connection.sendall(framed(Loaded(card=msgspec.json.encode(card_of(predictor)))))
    except TrustagError as error:
        connection.sendall(framed(Loaded(problem=str(error))))
        return
    while (batch := receive(connection, RequestBatch)) is not None:
        connection.sendall(framed(Answers(answer_all(predictor, batch.bodies, limits))))
    os._exit(0)


def card_of(predictor: Predictor) -> dict[str, object]:
    """Return what the model says of itself."""
    return {
        "types": list(predictor.tagger.labels.types),
        "labels": list(predictor.labels),
        "weights": predictor.tagger.weight_count,
        "temperature": predictor.tagger.temperature,
    }
