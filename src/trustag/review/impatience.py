"""The server's side of a connection, which closes it when the visitor begins a request and never ends it."""

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

SECONDS: Final = 20.0


class ImpatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it; a request that is not complete after some seconds ends its connection."""

    seconds = SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._is_late = False
        self._next_look = self.loop.call_later(self.seconds / 2, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._next_look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent; only a request that is complete counts as a sign of life."""
        super().data_received(data)
        self._is_late = self._is_late and self._is_waiting()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP; a request of which it is the rest counts as given up by the visitor."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # an answer has begun, or may have no body as it is one to HEAD
            self.transport.close()

    def _look(self) -> None:
        """Close the connection if nothing was complete at the last look either."""
        if self._is_waiting() and self._is_late:
            self.transport.close()
            return
        self._is_late = self._is_waiting()
        self._next_look = self.loop.call_later(self.seconds / 2, self._look)

    def _is_waiting(self) -> bool:
        return self.conn.their_state in {h11.IDLE, h11.SEND_BODY}
