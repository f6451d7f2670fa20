"""Connections on which nothing more comes are closed, by a real server; whole requests are answered meanwhile."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import uvicorn

from tests.review.small_run import open_session, write_run
from trustag.review.impatience import ImpatientProtocol
from trustag.review.server import bind, server_config


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(ImpatientProtocol, "seconds", 1.0)
    session, address = open_session(write_run(tmp_path / "run")), bind("127.0.0.1", 0, None)
    server = uvicorn.Server(server_config(session, address))
    running = threading.Thread(target=server.run, kwargs={"sockets": [address.listener]})
    running.start()
    yield address.access.port
    server.should_exit = True
    running.join()
    session.close()


def is_closed(connection: socket.socket) -> bool:
    """Tell whether the other side has closed a connection, whatever it sent before."""
    connection.settimeout(20)
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    return True


HEAD = b"POST /decide HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nContent-Length: 90\r\n\r\n"


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: ", HEAD + b"issue=1"])
def test_a_request_that_never_ends_is_given_up(begun: bytes, port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(begun.replace(b"%d", str(port).encode()))
        assert is_closed(connection)


def test_a_request_that_comes_drop_by_drop_is_given_up_too(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        began = time.monotonic()
        try:
            while time.monotonic() - began < 20:
                connection.sendall(b"x: y\r\n")
                time.sleep(0.1)
        except OSError:
            return
    pytest.fail("the server still listens")


def test_those_who_ask_in_time_are_answered(port: int) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        for _ in range(6):  # longer in all than a single request may take
            connection.request("GET", "/static/icon.svg")
            response = connection.getresponse()
            assert (response.status, response.read()[:4]) == (200, b"<svg")
            time.sleep(0.3)


CHUNKED = HEAD.replace(
    b"Content-Length: 90", b"Cookie: trustag_%d=KEY; trustag_reviewer=Ann\r\nTransfer-Encoding: chunked"
)


@pytest.mark.parametrize("rest", [b"zz\r\n", b"5\r\nissue\r\nFFFFFFFFFFFFFFFFFFFFFFF\r\n", b"\x00" * 50])
@pytest.mark.parametrize(
    "head", [CHUNKED.replace(b"POST /decide", method) for method in (b"POST /decide", b"GET /", b"HEAD /")]
)
def test_a_body_that_is_no_http_ends_the_connection_without_a_word_on_the_screen(
    head: bytes, rest: bytes, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(head.replace(b"%d", str(port).encode()) + rest)
        assert is_closed(connection)
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as other:
        other.request("GET", "/static/icon.svg")
        assert other.getresponse().status == 200
    assert not caplog.records
