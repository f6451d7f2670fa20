"""The server of a model: from a listening socket to the last answer after it was asked to stop."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import uvicorn

from trustag.errors import InputError, MissingExtraError
from trustag.serving.access import TokenAccess
from trustag.serving.door import Door
from trustag.serving.events import Tell
from trustag.serving.limits import Limits
from trustag.serving.metrics import Metrics
from trustag.serving.pool import Pool, Served
from trustag.serving.web_pages import web_pages
from trustag.web.listening import address_of, is_loopback, listen, local_names

try:
    import uvloop

    from trustag.serving.protocol import BoundedProtocol
except ImportError:
    raise MissingExtraError("trustag serve", "serve") from None

_BACKLOG: Final = 1024
_SECONDS_IDLE: Final = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model is served: a listening socket, who has access, and the address to open."""

    listener: socket.socket
    access: TokenAccess
    url: str


def bind(host: str, port: int, token: str | None) -> Place:
    """Return where to serve; a host that other machines can reach needs a token."""
    is_local = is_loopback(host)
    if not is_local and token is None:
        raise InputError(
            f"{host} can be reached from other machines", remedy="give a token with --token-file, or omit --host"
        )
    listener = listen(host, port, _BACKLOG)
    bound_port = listener.getsockname()[1]
    return Place(
        listener, TokenAccess(token, local_names(bound_port) if is_local else None), address_of(host, bound_port)
    )


def serve(served: Served, place: Place, started: Callable[[], None], tell: Tell, tell_request: Tell | None) -> None:
    """Serve a model until SIGTERM or SIGINT, then answer what has arrived; SIGHUP loads the model anew."""
    # Workers compute with one thread each; more would only get into each other's way.
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(served, place, started, tell, tell_request))


async def _serve(
    served: Served, place: Place, started: Callable[[], None], tell: Tell, tell_request: Tell | None
) -> None:
    metrics = Metrics()
    async with Pool(served, metrics, tell) as pool:
        door = Door(pool, web_pages(pool, metrics), place.access, metrics, tell_request)
        server = _Server(_configuration(door, served.limits))
        reloads: set[asyncio.Task[bool]] = set()

        def stop() -> None:
            tell("stopping", {"waiting": len(pool.waiting)})
            pool.is_stopping = True
            server.should_exit = True

        def reload() -> None:
            task = asyncio.get_running_loop().create_task(pool.reload())
            reloads.add(task)
            task.add_done_callback(reloads.discard)

        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop)
        loop.add_signal_handler(signal.SIGHUP, reload)
        started()
        await server.serve(sockets=[place.listener])
        await asyncio.gather(*reloads)
    tell("stopped", {})


class _Server(uvicorn.Server):
    """A server whose signals are handled outside."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


def _configuration(door: Door, limits: Limits) -> uvicorn.Config:
    return uvicorn.Config(
        door,
        log_level="critical",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http=BoundedProtocol,
        timeout_keep_alive=_SECONDS_IDLE,
        timeout_graceful_shutdown=round(2 * limits.seconds) + 1,
        limit_concurrency=limits.connections,
    )
