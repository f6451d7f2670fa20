"""Sockets listen where they say, and a port in use is an error for the user."""

import socket

import pytest

from trustag.errors import InputError
from trustag.web.listening import address_of, is_loopback, listen, local_names


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.8.9.1", "::1"])
def test_loopback_hosts_are_known(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.2", "example.com", "", "::", "localhost.example.com"])
def test_hosts_that_others_can_reach_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def test_a_socket_takes_connections_at_its_address_and_nobody_else_may_have_it() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()
        with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1, port {port} .*; choose another --port"):
            listen("127.0.0.1", port)


def test_names_and_addresses_contain_the_port() -> None:
    assert local_names(81) == {"127.0.0.1:81", "localhost:81", "[::1]:81"}
    assert (address_of("::1", 81), address_of("10.0.0.1", 81)) == ("http://[::1]:81", "http://10.0.0.1:81")
