"""Requests of all kinds to the review page: as it sends them, slightly wrong, hostile, and no HTTP at all."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

_ODD: Final = (
    *("", "0", "-1", "1e400", "nan", "99999999999999999999", "٣", "\x00", "\r\nSet-Cookie: a=b", "../../etc/passwd"),
    *(
        "<script>alert(1)</script>",
        "' OR 1=1 --",
        "%s%s%n",
        "{{7*7}}",
        "\u202e",
        "😀" * 50,
        "a" * 3_000,
        "null",
        "[[]]",
    ),
    *("open", "all", "accepted", "undone", "form", "worst", "unsure", "true"),
)
_FIELDS: Final = ("kind", "show", "order", "type", "word", "least", "issue", "done", "token", "version", "x")
_SPANS: Final = (
    *("[]", '[[0,1,"PER"]]', '[[1e400,1,"PER"]]', '[[-5,99999,"X"]]', '[[2,1,"PER"]]', "null", "[" * 5_000),
    *('[[0,1,"\\ud800"]]', '{"start":0}', '[[0,1,"' + "y" * 9_000 + '"]]', '[[0,5,"PER"],[1,3,"LOC"]]'),
)
_VERDICTS: Final = ("accepted", "rejected", "edited", "depends", "skipped", "commented", "undone", "", "x")
_PATHS: Final = ("/", "/decide", "/undo", "/reviewer", "/decisions.jsonl", "/login", "/static/review.js")
_ODD_PATHS: Final = (
    *("/static/../server.py", "/static/%2e%2e/server.py", "//", "/\x7f", "/?" + "a=b&" * 2_000, "/%ff%fe", "/decide/"),
    *("/static/review.css/x", "*", "http://evil.example/", "/decisions.sqlite", "/..;/", "/?issue=%00"),
)
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "G E T")
_NO_HTTP: Final = (
    *(b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"SSH-2.0-x\r\n", b"GET\r\n\r\n", b"\x00" * 500),
    *(
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 3_000 + b"\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ),
    *(b"POST /decide HTTP/1.1\r\nContent-Length: -5\r\n\r\n", b"POST / HTTP/1.1\r\nTransfer-Encoding: x\r\n\r\n"),
    *(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n"),
    b"POST /decide HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
)


@dataclass(frozen=True, slots=True)
class Door:
    """How to get in: the port, the token, and the issues that may be decided by anyone."""

    port: int
    token: str
    issues: Sequence[str]

    @property
    def host(self) -> str:
        """The host name that the page accepts."""
        return f"127.0.0.1:{self.port}"


@dataclass(frozen=True, slots=True)
class Shot:
    """A request: its kind, its bytes, and whether it stops before its end."""

    kind: str
    data: bytes
    breaks_off: bool = False


def request(door: Door, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """Return a request with the headers of the page, where ``headers`` does not say otherwise."""
    named = {
        "Host": door.host,
        "Origin": f"http://{door.host}",
        "Cookie": f"trustag_{door.port}={door.token}; trustag_reviewer=Ann",
        "Content-Length": str(len(body)),
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items() if value)
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("utf-8", errors="replace") + body


def decision(door: Door, issue: str, version: int, verdict: str, reviewer: str) -> bytes:
    """Return the request with which the page decides on an issue."""
    body = urlencode({"issue": issue, "version": version, "verdict": verdict}).encode()
    cookie = f"trustag_{door.port}={door.token}; trustag_reviewer={quote(reviewer)}"
    return request(door, "POST", "/decide", {"Cookie": cookie}, body)


def shot(door: Door, rng: random.Random) -> Shot:
    """Return a request of any kind."""
    kind = rng.choices(list(_KINDS), [weight for weight, _ in _KINDS.values()])[0]
    data = _KINDS[kind][1](door, rng)
    if rng.random() < 0.03:
        return Shot("broken off", data[: rng.randint(1, len(data))], breaks_off=True)
    return Shot(kind, data)


def _page(door: Door, rng: random.Random) -> bytes:
    fields = {rng.choice(_FIELDS): rng.choice(_ODD) for _ in range(rng.randint(0, 4))}
    if rng.random() < 0.5 and door.issues:
        fields["issue"] = rng.choice(door.issues)
    return request(door, "GET", "/?" + urlencode(fields, errors="replace"), {})


def _decide(door: Door, rng: random.Random) -> bytes:
    fields = {
        "issue": rng.choice(door.issues) if rng.random() < 0.9 else rng.choice(_ODD),
        "version": str(rng.choice([0, 0, 0, 1, 5, -1])) if rng.random() < 0.9 else rng.choice(_ODD),
        "verdict": rng.choice(_VERDICTS),
    }
    if rng.random() < 0.4:
        fields["spans"] = rng.choice(_SPANS)
    if rng.random() < 0.2:
        fields["comment"] = rng.choice(_ODD)
    if rng.random() < 0.1:
        fields["label"] = rng.choice(["PER", "O", "NOTHING", *_ODD])
    if rng.random() < 0.1:
        fields[f"except-{rng.choice(_ODD)}"] = "on"
    path = "/decide?identical" if rng.random() < 0.2 else "/decide"
    return request(door, "POST", path, _as(door, rng), urlencode(fields, errors="replace").encode())


def _undo(door: Door, rng: random.Random) -> bytes:
    return request(door, "POST", "/undo", _as(door, rng), b"issue=" + quote(rng.choice(_ODD)).encode())


def _name(door: Door, rng: random.Random) -> bytes:
    return request(door, "POST", "/reviewer", {}, urlencode({"reviewer": rng.choice(_ODD)}).encode())


def _as(door: Door, rng: random.Random) -> dict[str, str]:
    reviewer = f"reviewer {rng.randrange(50)}" if rng.random() < 0.95 else rng.choice(_ODD)
    return {"Cookie": f"trustag_{door.port}={door.token}; trustag_reviewer={quote(reviewer)}"}


def _outsider(door: Door, rng: random.Random) -> bytes:
    headers = rng.choice(
        [
            {"Cookie": ""},
            {"Cookie": f"trustag_{door.port}=wrong"},
            {"Cookie": f"trustag_{door.port}={door.token[:-1]}"},
            {"Host": "evil.example"},
            {"Host": ""},
            {"Cookie": 'a="\\'},
            {"Cookie": "x" * 5_000},
        ]
    )
    origin = rng.choice([{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}])
    path = rng.choice([path for path in _PATHS if not path.startswith("/static/")])  # which anybody may have
    if rng.random() < 0.4:
        return request(door, "POST", path, origin)
    return request(door, rng.choice(["GET", "POST"]), path, headers)


def _odd_http(door: Door, rng: random.Random) -> bytes:
    path = rng.choice(_PATHS if rng.random() < 0.4 else _ODD_PATHS)
    headers = rng.choice(
        [
            {},
            {"Content-Length": rng.choice(["-1", "1e3", "99999999999", "٣", "0x10", "5, 5"])},
            {"Transfer-Encoding": "chunked", "Content-Length": ""},
            {"Expect": "100-continue"},
            {"Range": "bytes=0-5,-9999999999"},
            {"Accept-Encoding": "gzip;q=nan"},
            {"Upgrade": "websocket", "Connection": "Upgrade"},
            {"Content-Type": "multipart/form-data; boundary="},
            {"X-Forwarded-For": "\x00", "X-Forwarded-Proto": "javascript"},
        ]
    )
    body = rng.choice([b"", b"0\r\n\r\n", b"zz\r\n", rng.randbytes(200), json.dumps({"verdict": 1}).encode()])
    return request(door, rng.choice(_METHODS), path, headers, body)


def _large(door: Door, rng: random.Random) -> bytes:
    size = rng.choice([64 * 1024, 64 * 1024 + 1, 300_000])
    return request(door, "POST", "/decide", {}, b"comment=" + b"x" * size)


def _no_http(door: Door, rng: random.Random) -> bytes:  # noqa: ARG001 - as all of them
    return rng.choice([*_NO_HTTP, rng.randbytes(rng.randint(1, 2_000))])


def _other(door: Door, rng: random.Random) -> bytes:
    return request(
        door, "GET", rng.choice(["/static/review.js", "/static/review.css", "/static/icon.svg", "/login"]), {}
    )


def _export(door: Door, rng: random.Random) -> bytes:  # noqa: ARG001 - as all of them
    return request(door, "GET", "/decisions.jsonl", {})


_KINDS: Final[dict[str, tuple[float, Callable[[Door, random.Random], bytes]]]] = {
    "a page": (0.10, _page),
    "a decision": (0.20, _decide),
    "an undo": (0.04, _undo),
    "a name": (0.04, _name),
    "a request without the right": (0.27, _outsider),
    "odd HTTP": (0.17, _odd_http),
    "too large": (0.02, _large),
    "no HTTP": (0.10, _no_http),
    "a file of the page": (0.058, _other),
    "all decisions": (0.002, _export),
}
