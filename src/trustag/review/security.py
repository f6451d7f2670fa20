"""Access control of the review page: only small requests that carry its token, its own origin and its host name."""

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trustag.web.visitors import BROWSER_HEADERS, is_own_origin, is_secret

LARGEST_REQUEST: Final = 64 * 1024
STATIC: Final = "/static/"
LOGIN: Final = "/login"


@dataclass(frozen=True, slots=True)
class Access:
    """What gives access to the page: a random token, or a password if one is set.

    ``hosts`` are the accepted host names. It is None for a page that other machines can reach, since the names they use
    are unknown here; such a page has a password.
    """

    token: str
    port: int
    hosts: frozenset[str] | None
    password: str | None = None

    @property
    def cookie(self) -> str:
        """The name of the cookie. Browsers share cookies between ports, so every server needs its own name."""
        return f"trustag_{self.port}"

    def set_cookie(self, response: Response) -> None:
        """Store the token in a cookie of ``response``."""
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")

    def is_token(self, text: str) -> bool:
        """Return whether ``text`` is the token, in constant time."""
        return is_secret(text, self.token)

    def is_password(self, text: str) -> bool:
        """Return whether ``text`` is the password, in constant time."""
        return self.password is not None and is_secret(text, self.password)


class AccessMiddleware:
    """ASGI middleware that passes permitted requests to ``app``, refuses others, and adds security headers to all."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            return
        has_token = self.access.is_token(_token(scope))
        refusal = self._refusal(scope, has_token=has_token)

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(BROWSER_HEADERS)
                if has_token:
                    self._set_cookie(headers)
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, send_safely)
        else:
            await self.app(scope, receive, send_safely)

    def _refusal(self, scope: Scope, *, has_token: bool) -> Response | None:
        """Return the response to a request that is not permitted; None for one that is."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or (self.access.hosts is not None and hosts[0].lower() not in self.access.hosts):
            return _refused("this server does not accept that host name", 421)
        if scope["method"] not in {"GET", "HEAD"}:
            if not is_own_origin(headers.get("origin", ""), hosts[0]):
                return _refused("only pages of this server may make changes", 403)
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > LARGEST_REQUEST:
                return _refused("the request is too large for a decision", 413)
        if scope["path"].startswith(STATIC) or (self.access.password is not None and scope["path"] == LOGIN):
            return None
        cookie = _cookies(headers).get(self.access.cookie, "")
        if has_token or self.access.is_token(cookie):
            return None
        if self.access.password is not None and scope["method"] == "GET":
            return RedirectResponse(LOGIN, 303)
        return _refused("open the address that trustag review printed; it contains the access key", 403)

    def _set_cookie(self, headers: MutableHeaders) -> None:
        carrier = Response()
        self.access.set_cookie(carrier)
        headers.append("set-cookie", carrier.headers["set-cookie"])


def _refused(reason: str, status: int) -> Response:
    return PlainTextResponse(f"Refused: {reason}.\n", status)


def _token(scope: Scope) -> str:
    """Return the token in the URL, or an empty string."""
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
