"""``trustag serve``: a model behind HTTP."""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import click

from trustag.serving.limits import Limits

_LIMITS = Limits()


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; a non-local one needs --token-file."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 is any free one.")
@click.option(
    "--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes that hold the model."
)
@click.option(
    "--token-file", type=click.Path(path_type=Path), help="File with the token that every request must carry."
)
@click.option("--tokenizer", metavar="NAME", default="auto", help="How to split texts, as for trustag predict.")
@click.option(
    "--queue",
    type=click.IntRange(1),
    default=_LIMITS.waiting,
    show_default=True,
    help="Requests that may wait; more are refused with 503.",
)
@click.option(
    "--max-body", type=click.IntRange(1), default=_LIMITS.body_bytes, show_default=True, help="Bytes of a request."
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=_LIMITS.seconds,
    show_default=True,
    help="Seconds for a request to arrive, and to be answered.",
)
@click.option(
    "--per-client", type=click.IntRange(0), default=0, help="Requests of one address under way; more get 429. 0: any."
)
@click.option("--log-requests", is_flag=True, help="Also log every request, without its text.")
def serve(
    model: Path,
    host: str,
    port: int,
    workers: int,
    token_file: Path | None,
    tokenizer: str,
    queue: int,
    max_body: int,
    timeout: float,
    per_client: int,
    log_requests: bool,
) -> None:
    """Serve MODEL, a model folder or a run, over HTTP.

    Open the address in a browser to try sentences; programs send JSON to /predict. What happens is logged to standard
    error as JSON lines, never the texts. SIGHUP loads the model anew; SIGTERM and Ctrl-C stop the server after it has
    answered what had arrived.

    \b
    trustag serve run
    trustag serve run --host 0.0.0.0 --token-file token --workers 4
    curl localhost:8000/predict -d '{"text": "Ann Smith moved to New York."}' -H 'Content-Type: application/json'
    """
    from trustag.serving.access import read_token  # noqa: PLC0415 - needs an extra
    from trustag.serving.http_server import bind  # noqa: PLC0415
    from trustag.serving.http_server import serve as serve_model  # noqa: PLC0415
    from trustag.serving.pool import Served  # noqa: PLC0415

    limits = replace(_LIMITS, waiting=queue, body_bytes=max_body, seconds=timeout, per_client=per_client)
    place = bind(host, port, None if token_file is None else read_token(token_file))
    served = Served(model, workers, limits, tokenizer)
    serve_model(served, place, lambda: click.echo(place.url), _log, _log if log_requests else None)


def _log(name: str, facts: dict[str, object]) -> None:
    """Write an event as a line of JSON to standard error."""
    sys.stderr.write(json.dumps({"at": round(time.time(), 3), "event": name, **facts}) + "\n")
    sys.stderr.flush()
