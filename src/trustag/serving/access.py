"""Who may ask the server: whoever has its token, or anyone on this machine if it has none."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.types import Scope

from trustag.errors import InputError
from trustag.serving.queries import RefusedError
from trustag.web.visitors import is_own_origin, is_secret

SHORTEST_TOKEN: Final = 16
PUBLIC: Final = frozenset({"/", "/health", "/ready", "/openapi.json"})
STATIC: Final = "/static/"


@dataclass(frozen=True, slots=True)
class TokenAccess:
    """The token, if there is one, and the host names by which the server may be called; None for any."""

    token: str | None = None
    hosts: frozenset[str] | None = None


def read_token(path: Path) -> str:
    """Return the token in a file."""
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no text"
        raise InputError(f"cannot be read ({reason})", where=path, remedy="give a file with the token") from None
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise InputError(
            f"no token of at least {SHORTEST_TOKEN} visible ASCII characters",
            where=path,
            remedy=f"make one: openssl rand -hex 32 > {path}",
        )
    return token


def check_access(scope: Scope, access: TokenAccess) -> None:
    """Raise ``RefusedError`` for a request that is not permitted."""
    host = origin = authorization = None
    for name, value in scope["headers"]:
        if name == b"host":
            if host is not None:
                raise RefusedError(400, "several host names")
            host = value.decode("latin-1")
        elif name == b"origin":
            origin = value.decode("latin-1")
        elif name == b"authorization":
            authorization = value.decode("latin-1")
    # A page of another site may have made its own name point to this machine.
    if host is None or (access.hosts is not None and host.lower() not in access.hosts):
        raise RefusedError(421, "this server does not accept that host name")
    if origin is not None and not is_own_origin(origin, host):
        raise RefusedError(403, "only pages of this server may use it from a browser")
    if access.token is None or scope["path"] in PUBLIC or scope["path"].startswith(STATIC):
        return
    kind, _, given = (authorization or "").partition(" ")
    if kind.lower() != "bearer" or not is_secret(given.strip(), access.token):
        raise RefusedError(401, "send the header Authorization: Bearer TOKEN")


class ClientLimit:
    """Counts what is under way for every client address, and refuses more than its share."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._under_way: Counter[str] = Counter()

    def enter(self, scope: Scope) -> None:
        """Count a request; ``RefusedError`` if the client has too many under way."""
        if not self._most:
            return
        client = _client(scope)
        if self._under_way[client] >= self._most:
            raise RefusedError(429, f"{self._most:,} requests of this client are under way; wait for an answer")
        self._under_way[client] += 1

    def leave(self, scope: Scope) -> None:
        """Count a request that has been answered."""
        if not self._most:
            return
        client = _client(scope)
        self._under_way[client] -= 1
        if not self._under_way[client]:
            del self._under_way[client]


def _client(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])
