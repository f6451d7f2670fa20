"""Who may talk to the review page: requests with its token, from its own pages, small ones, addressed to it by name."""

import hmac
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_REQUEST: Final = 64 * 1024
STATIC: Final = "/static/"
LOGIN: Final = "/login"

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With no referrer at all browsers would also hide the origin of forms, which is checked.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Access:
    """What opens the page: a random token, or a password where one is set; ``hosts`` are its names, None for any.

    Only a page that other machines can reach has a password, and what they call it cannot be known here.
    """

    token: str
    port: int
    hosts: frozenset[str] | None
    password: str | None = None

    @property
    def cookie(self) -> str:
        """The name of the cookie; ports share cookies, so that every server needs a name of its own."""
        return f"trustag_{self.port}"

    def let_in(self, response: Response) -> None:
        """Give the browser that gets ``response`` the token to keep."""
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")

    def is_token(self, text: str) -> bool:
        """Tell whether ``text`` is the token, in a time that says nothing about it."""
        return hmac.compare_digest(text.encode(), self.token.encode())

    def is_password(self, text: str) -> bool:
        """Tell whether ``text`` is the password."""
        return self.password is not None and hmac.compare_digest(text.encode(), self.password.encode())


class Gate:
    """Lets good requests through to ``app``, answers the others, and puts the safety headers on every response."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            return
        is_key = self.access.is_token(_token(scope))
        refusal = self._refusal(scope, is_key=is_key)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                if is_key:
                    self._set_cookie(headers)
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, send_safely)
        else:
            await self.app(scope, receive, send_safely)

    def _refusal(self, scope: Scope, *, is_key: bool) -> Response | None:
        """Return the answer to a request that must not go through."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or (self.access.hosts is not None and hosts[0].lower() not in self.access.hosts):
            return _refused("this page does not go by that name", 421)
        if scope["method"] not in {"GET", "HEAD"}:
            own = {f"http://{hosts[0]}".lower(), f"https://{hosts[0]}".lower()}
            if headers.get("origin", "").lower() not in own:
                return _refused("only the pages of this server may change anything here", 403)
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > LARGEST_REQUEST:
                return _refused("that is more than one decision can be", 413)
        if scope["path"].startswith(STATIC) or (self.access.password is not None and scope["path"] == LOGIN):
            return None
        kept = _cookies(headers).get(self.access.cookie, "")
        if is_key or self.access.is_token(kept):
            return None
        if self.access.password is not None and scope["method"] == "GET":
            return RedirectResponse(LOGIN, 303)
        return _refused("open the address that trustag review printed: it holds the key to this page", 403)

    def _set_cookie(self, headers: MutableHeaders) -> None:
        carrier = Response()
        self.access.let_in(carrier)
        headers.append("set-cookie", carrier.headers["set-cookie"])


def _refused(reason: str, status: int) -> Response:
    return PlainTextResponse(f"Refused: {reason}.\n", status)


def _token(scope: Scope) -> str:
    """Return the token in the address, if there is one."""
    values = [value for name, value in parse_qsl(scope["query_string"].decode("latin-1")) if name == "token"]
    return values[0] if values else ""


def _cookies(headers: Headers) -> dict[str, str]:
    jar: SimpleCookie = SimpleCookie()
    for header in headers.getlist("cookie"):
        try:
            jar.load(header)
        except CookieError:
            continue
    return {name: morsel.value for name, morsel in jar.items()}
