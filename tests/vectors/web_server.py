"""A local web server that serves one file, can drop the connection, and records the requested ranges."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Served:
    """The file, the behaviour of the server, and the requested ranges."""

    content: bytes
    tag: str | None = '"v1"'
    break_after: int | None = None
    status: int = 200
    url: str = ""
    asked: list[str | None] = field(default_factory=list)


@contextmanager
def serving(served: Served) -> Iterator[Served]:
    """Serve until the block ends; the address is in ``served.url``."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.headers["Range"])
            if served.status != 200:
                self.send_error(served.status)
                return
            start = 0
            asked = self.headers["Range"]
            if asked and self.headers["If-Range"] == served.tag:
                start = int(asked.removeprefix("bytes=").removesuffix("-"))
            if start and start >= len(served.content):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(served.content)}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(served.content) - 1}/{len(served.content)}")
            if served.tag is not None:
                self.send_header("ETag", served.tag)
            body = served.content[start:]
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body if served.break_after is None else body[: served.break_after])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_port}/file"
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
