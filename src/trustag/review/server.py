"""The review page as a web application, and the server that runs it until it is stopped."""

import asyncio
import ipaddress
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
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from trustag.errors import InputError
from trustag.review.decisions import ConflictError
from trustag.review.desk import Desk
from trustag.review.exporting import decision_lines
from trustag.review.forms import REVIEWER, place_of, read_form, reviewer_of, ruling_of, tidy_name
from trustag.review.pages import render, review_page
from trustag.review.security import LOGIN, STATIC, Access, Gate

_STATIC_FILES: Final = {"review.css": "text/css", "review.js": "text/javascript", "icon.svg": "image/svg+xml"}
_SHORTEST_PASSWORD: Final = 8
_A_YEAR: Final = 365 * 24 * 3600
_SECONDS_FOR_A_WRONG_PASSWORD: Final = 1.0


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page is: a socket that listens already, and the address to open."""

    listener: socket.socket
    access: Access
    url: str


def bind(host: str, port: int, password: str | None) -> Address:
    """Return a place for the page; other machines may reach it only by a password."""
    is_local = _is_loopback(host)
    if not is_local and password is None:
        raise InputError(
            f"{host} can be reached by other machines", remedy="give a password with --password, or leave --host out"
        )
    if password is not None and len(password) < _SHORTEST_PASSWORD:
        raise InputError("the password is too short", remedy=f"take at least {_SHORTEST_PASSWORD} characters")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        raise InputError(
            f"cannot listen at {host}, port {port} ({error.strerror})", remedy="choose another --port"
        ) from None
    number = listener.getsockname()[1]
    names = {f"{name}:{number}" for name in ("127.0.0.1", "localhost", "[::1]")}
    shown = f"[{host}]" if ":" in host else host
    access = Access(secrets.token_urlsafe(32), number, frozenset(names) if is_local else None, password)
    return Address(listener, access, f"http://{shown}:{number}/?token={access.token}")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(desk: Desk, address: Address) -> None:
    """Answer requests until the process is interrupted."""
    config = uvicorn.Config(
        application(desk, address.access),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[address.listener])


def application(desk: Desk, access: Access) -> Gate:
    """Return the web application behind its gate."""
    pages = _Pages(desk, access)
    routes = [
        Route("/", pages.show),
        Route("/decide", pages.decide, methods=["POST"]),
        Route("/undo", pages.undo, methods=["POST"]),
        Route("/reviewer", pages.name, methods=["POST"]),
        Route("/decisions.jsonl", pages.export),
        Route(LOGIN, pages.login, methods=["GET", "POST"]),
        Route(STATIC + "{name}", _static),
    ]
    return Gate(Starlette(routes=routes, exception_handlers={InputError: _told}), access)


class _Pages:
    """The handlers; each is short, so that one after the other is fast enough."""

    def __init__(self, desk: Desk, access: Access) -> None:
        self.desk = desk
        self.access = access
        self.guesses = asyncio.Lock()

    async def show(self, request: Request) -> Response:
        """Show an issue in the queue; whoever has no name yet is asked for one."""
        self.desk.refresh()
        place = place_of(request.query_params)
        reviewer = reviewer_of(request)
        if not reviewer:
            return HTMLResponse(render("name.html", place=place, run=self.desk.run.path, progress=self.desk.progress()))
        return HTMLResponse(review_page(self.desk, place, reviewer))

    async def decide(self, request: Request) -> Response:
        """Take down a verdict and go on; tell if somebody else was faster."""
        form = await read_form(request)
        place, reviewer = place_of(form), reviewer_of(request)
        if not reviewer:
            return RedirectResponse(place.query(), 303)
        ruling = ruling_of(form, reviewer, for_identical="identical" in request.query_params)
        try:
            entries = self.desk.decide(ruling)
        except ConflictError as conflict:
            self.desk.refresh()
            latest = conflict.latest.decision if conflict.latest else None
            who = "Somebody" if latest is None else f"{latest.reviewer} ({latest.verdict}, {latest.at})"
            trouble = f"Not saved: {who} was faster. This is how the issue stands now; decide again if you disagree."
            page = review_page(self.desk, place, reviewer, trouble, ruling.comment)
            return HTMLResponse(page, 409)
        except InputError as error:
            return HTMLResponse(review_page(self.desk, place, reviewer, f"Not saved: {error}.", ruling.comment), 422)
        if ruling.verdict == "commented":
            return RedirectResponse(place.query(done=entries[0].batch), 303)
        behind = self.desk.next_rank(place.chosen, self.desk.queue.rank[ruling.issue])
        following = "" if behind is None else self.desk.queue.issues[behind].id
        return RedirectResponse(place.query(done=entries[0].batch, issue=following), 303)

    async def undo(self, request: Request) -> Response:
        """Take back the last click and show the issue it was about."""
        place, reviewer = place_of(await read_form(request)), reviewer_of(request)
        try:
            entries = self.desk.undo(reviewer) if reviewer else []
        except ConflictError:
            entries = []
        if not entries:
            trouble = "Nothing was taken back: you have not clicked yet, or somebody has decided on it since."
            page = review_page(self.desk, place, reviewer, trouble)
            return HTMLResponse(page, 409)
        return RedirectResponse(place.query(done=entries[0].batch, issue=entries[0].decision.issue), 303)

    async def name(self, request: Request) -> Response:
        """Remember who is sitting here."""
        form = await read_form(request)
        response = RedirectResponse(place_of(form).query(), 303)
        name = tidy_name(form.get("reviewer", ""))
        response.set_cookie(REVIEWER, quote(name), max_age=_A_YEAR, httponly=True, samesite="strict")
        return response

    async def export(self, request: Request) -> Response:  # noqa: ARG002 - starlette's
        """Hand out everything that was decided."""
        self.desk.refresh()
        headers = {"Content-Disposition": 'attachment; filename="decisions.jsonl"'}
        lines = list(decision_lines(self.desk.standing))
        return StreamingResponse(iter(lines), media_type="application/x-ndjson", headers=headers)

    async def login(self, request: Request) -> Response:
        """Ask for the password; wrong guesses are answered one at a time, slowly."""
        if self.access.password is None:
            raise HTTPException(404)
        is_wrong = False
        if request.method == "POST":
            form = await read_form(request)
            async with self.guesses:
                if self.access.is_password(form.get("password", "")):
                    response = RedirectResponse("/", 303)
                    self.access.let_in(response)
                    return response
                await asyncio.sleep(_SECONDS_FOR_A_WRONG_PASSWORD)
            is_wrong = True
        return HTMLResponse(render("login.html", is_wrong=is_wrong), 403 if is_wrong else 200)


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _STATIC_FILES:
        raise HTTPException(404)
    return Response(files("trustag.review").joinpath("static", name).read_bytes(), media_type=_STATIC_FILES[name])


async def _told(request: Request, error: Exception) -> Response:  # noqa: ARG001 - starlette's
    return PlainTextResponse(f"{error}\n", 422)
