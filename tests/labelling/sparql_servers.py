"""A real SPARQL server on loopback with a small store in the shape of Wikidata, and one that fails as told."""

import http.server
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ITEMS = {
    "Q64": ("Berlin", "Q515", ["Berlin, Germany"]),
    "Q821244": ("Berlin", "Q215380", []),  # a band, so Berlin is ambiguous
    "Q1439": ("Texas", "Q35657", []),
    "Q60": ("New York", "Q515", ["NYC", "New York City"]),
    "Q937": ("Albert Einstein", "Q5", ["Einstein"]),
    "Q95": ("Google", "Q4830453", []),
    "Q1": ("zork", "Q999", []),  # of a class that has no type
}
SUBCLASSES = {"Q515": "Q486972", "Q35657": "Q56061", "Q486972": "Q2221906", "Q4830453": "Q43229"}
_WD, _WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"


def dump() -> str:
    """Return the store as N-Triples."""
    lines = []
    for item, (label, kind, aliases) in ITEMS.items():
        lines.append(f"<{_WD}{item}> <{_WDT}P31> <{_WD}{kind}> .")
        lines.append(f'<{_WD}{item}> <http://www.w3.org/2000/01/rdf-schema#label> "{label}"@en .')
        lines += [f'<{_WD}{item}> <http://www.w3.org/2004/02/skos/core#altLabel> "{alias}"@en .' for alias in aliases]
    lines += [f"<{_WD}{low}> <{_WDT}P279> <{_WD}{high}> ." for low, high in SUBCLASSES.items()]
    return "\n".join(lines) + "\n"


@contextmanager
def oxigraph(folder: Path) -> Iterator[str]:
    """Serve the store; yields the address to send queries to."""
    (folder / "dump.nt").write_text(dump())
    store = folder / "store"
    program = str(Path(sys.executable).with_name("oxigraph"))  # installed beside this Python, which may be on no path
    load = [program, "load", "--location", str(store), "--file", str(folder / "dump.nt")]
    subprocess.run(load, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "serve-read-only", "--location", str(store), "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_for(port, server)
            yield f"http://127.0.0.1:{port}/query"
        finally:
            server.kill()


def _wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert server.poll() is None, "the server has ended"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server does not answer")


class FailingServer(http.server.ThreadingHTTPServer):
    """Passes queries on to a server, unless the next failure says otherwise; remembers what it was asked."""

    daemon_threads = True

    def __init__(self, behind: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = behind
        self.failures: list[str] = []
        self.always = ""
        self.queries: list[bytes] = []
        self.agents: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/sparql"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: FailingServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.queries.append(body)
        self.server.agents.add(self.headers["User-Agent"])
        failure = self.server.failures.pop(0) if self.server.failures else self.server.always
        if failure.isdecimal():
            self.send_response(int(failure))
            self.send_header("Retry-After", "7")
            self.end_headers()
        elif failure == "dies":
            self.send_response(200)
            self.send_header("Content-Length", "10000")
            self.end_headers()
            self.wfile.write(b'{"results": {"bind')
            self.close_connection = True
        elif failure == "hangs":
            time.sleep(1.5)
            self.close_connection = True
        elif failure:
            self._answer(failure.encode())
        else:
            headers = {"Content-Type": self.headers["Content-Type"], "Accept": self.headers["Accept"]}
            with urllib.request.urlopen(urllib.request.Request(self.server.behind, body, headers)) as answer:
                self._answer(answer.read())

    def _answer(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: object) -> None:
        pass


@contextmanager
def failing(behind: str) -> Iterator[FailingServer]:
    """Run a server that fails as its ``failures`` say, one a request, then passes requests on."""
    with FailingServer(behind) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
