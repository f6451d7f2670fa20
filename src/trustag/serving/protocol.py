"""The server's side of a connection: HTTP as uvicorn speaks it, with a limit to the head of a request."""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from trustag.serving.limits import Limits

_LIMITS: Final = Limits()


class BoundedProtocol(HttpToolsProtocol):
    """Closes a connection on which the head of a request is too large, or is not complete after some seconds."""

    head_seconds = 20.0
    head_bytes = _LIMITS.header_bytes

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._head_bytes = 0
        self._is_in_head = True
        self._was_in_head = False
        self._next_look = self.loop.call_later(self.head_seconds / 2, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._next_look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent."""
        if self._is_in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._is_in_head and self._head_bytes > self.head_bytes:
            self.transport.close()

    def on_message_begin(self) -> None:
        """Count the head of the request that begins."""
        self._is_in_head = True
        self._head_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Count no longer: what follows is the body, which the application limits."""
        self._is_in_head = self._was_in_head = False
        super().on_headers_complete()

    def _look(self) -> None:
        """Close the connection if it was in the middle of the same head at the last look."""
        if self._is_in_head and self._was_in_head:
            self.transport.close()
            return
        self._was_in_head = self._is_in_head
        self._next_look = self.loop.call_later(self.head_seconds / 2, self._look)
