"""Ask a SPARQL 1.1 endpoint, over HTTP or in a local store: time limits, retries with back-off, a rate limit, pages."""

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from trustag._version import __version__
from trustag.errors import InputError

Row: TypeAlias = dict[str, str]

USER_AGENT: Final = f"trustag/{__version__} (distant labelling; https://pypi.org/project/trustag)"
_MOST_BYTES: Final = 1 << 28
_RETRIED: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
_FIRST_WAIT: Final = 0.5
_LONGEST_WAIT: Final = 60.0


class Endpoint(Protocol):
    """Answers SELECT queries."""

    def select(self, query: str) -> list[Row]:
        """Return the rows of the answer: the value of each variable, without its language or datatype."""


@dataclass(slots=True)
class HttpEndpoint:
    """An endpoint on the network; ``sleep`` and ``now`` are those of the clock, and tests replace them."""

    url: str
    timeout: float = 30.0
    retries: int = 5
    per_second: float = 5.0
    user_agent: str = USER_AGENT
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.monotonic
    requests: int = field(default=0, init=False)
    _next: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        if urllib.parse.urlsplit(self.url).scheme not in {"http", "https"}:
            raise InputError("not a web address", where=self.url, remedy="it begins with http:// or https://")

    def select(self, query: str) -> list[Row]:
        """Return the rows of the answer; a request that fails is repeated, ever later, before it is an error."""
        failure = ""
        for attempt in range(self.retries + 1):
            self._wait_for_turn()
            try:
                return _rows(self._posted(query))
            except urllib.error.HTTPError as error:
                failure = f"it answers {error.code} {error.reason}"
                if error.code not in _RETRIED:
                    break
                wait = _asked_wait(error.headers.get("Retry-After"))
            except (OSError, http.client.HTTPException) as error:
                failure, wait = f"it cannot be reached ({_reason(error)})", None
            except ValueError as error:
                failure, wait = f"its answer cannot be read ({error})", None
            if attempt < self.retries:
                self.sleep(min(_LONGEST_WAIT, wait if wait is not None else _FIRST_WAIT * 2**attempt))
        tries = f"after {self.retries + 1} attempts, " if self.retries else ""
        remedy = "try again later; what it answered is kept, and is not asked again"
        raise InputError(f"{tries}{failure}", where=self.url, remedy=remedy)

    def _wait_for_turn(self) -> None:
        waiting = self._next - self.now()
        if waiting > 0:
            self.sleep(waiting)
        self._next = self.now() + 1 / self.per_second

    def _posted(self, query: str) -> bytes:
        self.requests += 1
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/sparql-results+json",
            "User-Agent": self.user_agent,
        }
        body = urllib.parse.urlencode({"query": query}).encode()
        request = urllib.request.Request(self.url, body, headers)  # noqa: S310 - http or https, as checked
        with urllib.request.urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
            content: bytes = answer.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise ValueError("it is too long")
        return content


def in_pages(endpoint: Endpoint, query: str, page: int) -> Iterator[Row]:
    """Yield all rows of an ordered query, ``page`` at a time."""
    offset = 0
    while True:
        rows = endpoint.select(f"{query} LIMIT {page} OFFSET {offset}")
        yield from rows
        if len(rows) < page:
            return
        offset += page


def quoted(text: str) -> str:
    r"""Return ``text`` as a literal of SPARQL.

    >>> print(quoted('a "b" c'))
    "a \"b\" c"
    """
    return json.dumps(text, ensure_ascii=False)


def _rows(content: bytes) -> list[Row]:
    try:
        found: Any = json.loads(content)
        bindings = found["results"]["bindings"]
        return [{name: str(value["value"]) for name, value in row.items()} for row in bindings]
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("it is no answer of SPARQL 1.1") from None


def _asked_wait(text: str | None) -> float | None:
    """Return the seconds that the server asks to wait; it may also name a date, which is not read."""
    return float(text) if text is not None and text.strip().isdecimal() else None


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    return " ".join(str(reason).split())[:200] or type(error).__name__
