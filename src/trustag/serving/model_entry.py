"""Where a worker process begins; the server itself never loads the model, nor torch."""

import socket
from pathlib import Path

from trustag.serving.limits import Limits


def enter(connection: socket.socket, model: Path, tokenizer: str, limits: Limits) -> None:
    """Run a worker process to its end."""
    from trustag.serving.model_process import run  # noqa: PLC0415 - loaded in workers only

    run(connection, model, tokenizer, limits)
