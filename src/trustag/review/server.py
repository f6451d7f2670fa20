"""The review page as a web application, and the server that runs it until it is stopped."""

import asyncio
import secrets
import socket
from dataclasses import dataclass
from importlib.resources import files
from typing import Final
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from trustag.errors import InputError
from trustag.review.decisions import ConflictError
from trustag.review.entries import Entry
from trustag.review.exporting import decision_lines
from trustag.review.impatience import ImpatientProtocol
from trustag.review.pages import readable_time, render, review_page
from trustag.review.requests import REVIEWER, action_of, clean_name, query_of, read_form, reviewer_of
from trustag.review.security import LOGIN, STATIC, Access, AccessMiddleware
from trustag.review.session import ReviewSession
from trustag.web.listening import address_of, is_loopback, listen, local_names

_STATIC_FILES: Final = {
    "review.css": "text/css",
    "forms.css": "text/css",
    "review.js": "text/javascript",
    "forms.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_SHORTEST_PASSWORD: Final = 8
_A_YEAR: Final = 365 * 24 * 3600
_MOST_CONNECTIONS: Final = 500
_WRONG_PASSWORD_DELAY: Final = 1.0  # seconds


@dataclass(frozen=True, slots=True)
class PageAddress:
    """Where the page is served: a listening socket, its access rules, and the URL to open."""

    listener: socket.socket
    access: Access
    url: str


def bind(host: str, port: int, password: str | None) -> PageAddress:
    """Return a listening socket for the page; a host that other machines can reach needs a password."""
    is_local = is_loopback(host)
    if not is_local and password is None:
        raise InputError(
            f"{host} can be reached from other machines", remedy="set a password with --password, or omit --host"
        )
    if password is not None and len(password) < _SHORTEST_PASSWORD:
        raise InputError("the password is too short", remedy=f"use at least {_SHORTEST_PASSWORD} characters")
    listener = listen(host, port)
    bound_port = listener.getsockname()[1]
    access = Access(secrets.token_urlsafe(32), bound_port, local_names(bound_port) if is_local else None, password)
    return PageAddress(listener, access, f"{address_of(host, bound_port)}/?token={access.token}")


def serve(session: ReviewSession, address: PageAddress) -> None:
    """Serve the page until the process is interrupted."""
    uvicorn.Server(server_config(session, address)).run(sockets=[address.listener])


def server_config(session: ReviewSession, address: PageAddress) -> uvicorn.Config:
    """Return how the page is served."""
    return uvicorn.Config(
        application(session, address.access),
        log_level="error",  # what strangers send is no news
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
        http=ImpatientProtocol,
        limit_concurrency=_MOST_CONNECTIONS,
    )


def application(session: ReviewSession, access: Access) -> AccessMiddleware:
    """Return the web application behind its access control."""
    pages = _Pages(session, access)
    routes = [
        Route("/", pages.show),
        Route("/decide", pages.decide, methods=["POST"]),
        Route("/undo", pages.undo, methods=["POST"]),
        Route("/reviewer", pages.name, methods=["POST"]),
        Route("/decisions.jsonl", pages.export),
        Route(LOGIN, pages.login, methods=["GET", "POST"]),
        Route(STATIC + "{name}", _static),
    ]
    return AccessMiddleware(Starlette(routes=routes, exception_handlers={InputError: _input_error}), access)


class _Pages:
    """The request handlers; each is fast enough to run them one after another."""

    def __init__(self, session: ReviewSession, access: Access) -> None:
        self.session = session
        self.access = access
        self.guesses = asyncio.Lock()

    async def show(self, request: Request) -> Response:
        """Show an issue of the queue, or ask for the reviewer's name first."""
        self.session.refresh()
        query = query_of(request.query_params)
        reviewer = reviewer_of(request)
        if not reviewer:
            return HTMLResponse(render("name.html", query=query, progress=self.session.progress()))
        return HTMLResponse(review_page(self.session, query, reviewer))

    async def decide(self, request: Request) -> Response:
        """Record a verdict and show the next issue; report if somebody else has decided in the meantime."""
        form = await read_form(request)
        query, reviewer = query_of(form), reviewer_of(request)
        if not reviewer:
            return RedirectResponse(query.url(), 303)
        action = action_of(form, reviewer, for_identical="identical" in request.query_params)
        try:
            entries = self.session.decide(action)
        except ConflictError as conflict:
            self.session.refresh()
            who = _author(conflict.latest)
            problem = f"Not saved: {who} was faster. The page shows the current state; decide again if you disagree."
            return HTMLResponse(review_page(self.session, query, reviewer, problem, action), 409)
        except InputError as error:
            return HTMLResponse(review_page(self.session, query, reviewer, f"Not saved: {error}.", action), 422)
        if action.verdict == "commented":
            return RedirectResponse(query.url(done=entries[0].batch), 303)
        next_rank = self.session.next_rank(query.filter, self.session.queue.rank[action.issue])
        following = "" if next_rank is None else self.session.queue.items[next_rank].id
        return RedirectResponse(query.url(done=entries[0].batch, issue=following), 303)

    async def undo(self, request: Request) -> Response:
        """Undo the reviewer's last action and show its issue again."""
        query, reviewer = query_of(await read_form(request)), reviewer_of(request)
        try:
            entries = self.session.undo(reviewer) if reviewer else []
        except ConflictError:
            entries = []
        if not entries:
            problem = "Nothing to undo: you have not decided anything yet, or somebody has changed it since."
            return HTMLResponse(review_page(self.session, query, reviewer, problem), 409)
        return RedirectResponse(query.url(done=entries[0].batch, issue=entries[0].decision.issue), 303)

    async def name(self, request: Request) -> Response:
        """Store the reviewer's name in a cookie."""
        form = await read_form(request)
        response = RedirectResponse(query_of(form).url(), 303)
        name = clean_name(form.get("reviewer", ""))
        response.set_cookie(REVIEWER, quote(name), max_age=_A_YEAR, httponly=True, samesite="strict")
        return response

    async def export(self, request: Request) -> Response:  # noqa: ARG002 - starlette's
        """Return the whole log as JSON lines."""
        self.session.refresh()
        headers = {"Content-Disposition": 'attachment; filename="decisions.jsonl"'}
        # In one piece: a stream would take a thread for every line.
        lines = decision_lines(self.session.state)
        return Response(b"".join(lines), media_type="application/x-ndjson", headers=headers)

    async def login(self, request: Request) -> Response:
        """Ask for the password; wrong guesses are answered one at a time, after a delay."""
        if self.access.password is None:
            raise HTTPException(404)
        is_wrong = False
        if request.method == "POST":
            form = await read_form(request)
            async with self.guesses:
                if self.access.is_password(form.get("password", "")):
                    response = RedirectResponse("/", 303)
                    self.access.set_cookie(response)
                    return response
                await asyncio.sleep(_WRONG_PASSWORD_DELAY)
            is_wrong = True
        return HTMLResponse(render("login.html", is_wrong=is_wrong), 403 if is_wrong else 200)


def _author(entry: Entry | None) -> str:
    if entry is None:
        return "somebody else"
    decision = entry.decision
    return f"{decision.reviewer} ({decision.verdict}, {readable_time(decision.at)})"


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _STATIC_FILES:
        raise HTTPException(404)
    return Response(files("trustag.review").joinpath("static", name).read_bytes(), media_type=_STATIC_FILES[name])


async def _input_error(request: Request, error: Exception) -> Response:  # noqa: ARG001 - starlette's
    return PlainTextResponse(f"{error}\n", 400)
