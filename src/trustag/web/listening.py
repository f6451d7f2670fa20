"""Listening sockets, and the names by which browsers may call a server on this machine."""

import ipaddress
import socket

from trustag.errors import InputError


def listen(host: str, port: int, backlog: int = 128) -> socket.socket:
    """Return a socket that listens on ``host``; port 0 is any free one."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=backlog)
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}, port {port} ({error.strerror})", remedy="choose another --port"
        ) from None


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach ``host``.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def local_names(port: int) -> frozenset[str]:
    """Return the host names by which a server on a port of this machine is called from this machine."""
    return frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))


def address_of(host: str, port: int) -> str:
    """Return the address of a server as browsers write it.

    >>> address_of("::1", 80)
    'http://[::1]:80'
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
