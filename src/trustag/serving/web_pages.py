"""Everything but predictions: the page to try sentences, health, the model's card, metrics, the OpenAPI document."""

from importlib.resources import files
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trustag._version import __version__
from trustag.serving.access import STATIC
from trustag.serving.metrics import Metrics
from trustag.serving.openapi import openapi_document
from trustag.serving.pool import Pool
from trustag.serving.queries import RefusedError, refusal

_FILES: Final = {"try.css": "text/css", "try.js": "text/javascript"}
_PROMETHEUS: Final = "text/plain; version=0.0.4; charset=utf-8"


def web_pages(pool: Pool, metrics: Metrics) -> Starlette:
    """Return the application for everything but predictions."""
    handlers = _Handlers(pool, metrics)
    routes = [
        Route("/", _page),
        Route(STATIC + "{name}", _static),
        Route("/health", handlers.health),
        Route("/ready", handlers.ready),
        Route("/model", handlers.model),
        Route("/metrics", handlers.metrics),
        Route("/openapi.json", handlers.openapi),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _http_error})


class _Handlers:
    def __init__(self, pool: Pool, metrics: Metrics) -> None:
        self._pool = pool
        self._metrics = metrics

    async def health(self, request: Request) -> Response:  # noqa: ARG002 - starlette's
        """Tell that the server runs, whatever its workers do."""
        return _json({"status": "ok", "workers": self._pool.alive, "waiting": len(self._pool.waiting)})

    async def ready(self, request: Request) -> Response:  # noqa: ARG002
        """Tell whether predictions are answered at present."""
        ready = self._pool.alive > 0 and not self._pool.is_stopping
        return _json({"status": "ready" if ready else "not ready"}, 200 if ready else 503)

    async def model(self, request: Request) -> Response:  # noqa: ARG002
        """Return what the model says of itself."""
        card = msgspec.json.decode(self._pool.card)
        return _json({"trustag": __version__, **card})

    async def metrics(self, request: Request) -> Response:  # noqa: ARG002
        """Return the counters."""
        self._metrics.waiting.set(len(self._pool.waiting))
        self._metrics.workers.set(self._pool.alive)
        return Response(self._metrics.as_text(), media_type=_PROMETHEUS)

    async def openapi(self, request: Request) -> Response:  # noqa: ARG002
        """Return the description of all of this."""
        return _json(openapi_document(self._pool.limits))


async def _page(request: Request) -> Response:  # noqa: ARG001 - starlette's
    return _file("index.html", "text/html")


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        raise HTTPException(404)
    return _file(name, _FILES[name])


def _file(name: str, kind: str) -> Response:
    return Response(files("trustag.serving").joinpath("page", name).read_bytes(), media_type=kind)


def _json(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


async def _http_error(request: Request, error: Exception) -> Response:  # noqa: ARG001 - starlette's
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    reason = {404: "no such page; see /openapi.json", 405: "this page takes no such request"}.get(status, "refused")
    body = refusal(RefusedError(status, reason))
    return Response(body, status, headers=dict(headers or {}), media_type="application/json")
