"""What a server takes on at most, and how long anything may take."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of a server; what goes beyond one is refused with an error that names it."""

    body_bytes: int = 1 << 20
    """Bytes of a request, or of one line of a stream."""
    texts: int = 1000
    """Texts of one request."""
    characters: int = 200_000
    """Characters of one text, or tokens of one list."""
    waiting: int = 1024
    """Requests that wait for a worker."""
    waiting_bytes: int = 64 << 20
    """Bytes of all requests that wait."""
    batch: int = 64
    """Requests that a worker is given together."""
    batch_bytes: int = 256 << 10
    """Bytes from which on a batch is full."""
    seconds: float = 30.0
    """Time for a request to arrive, and again to be answered."""
    stream_ahead: int = 128
    """Lines of one stream that are under way together."""
    connections: int = 2000
    """Connections at a time."""
    header_bytes: int = 32 << 10
    """Bytes of the head of a request."""
    per_client: int = 0
    """Requests of one client address under way together; 0 for any number."""
    attempts: int = 3
    """Times that a request is given to another worker after its worker died."""
