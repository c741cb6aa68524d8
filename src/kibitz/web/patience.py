"""How long the server waits for a request that has begun: a connection that never finishes one is closed."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

#: Seconds within which the head of a request must be there, and within which its body must go on.
HEAD_WITHIN, BODY_WITHIN = 20.0, 60.0


class PatientProtocol(AutoHTTPProtocol):  # type: ignore[valid-type, misc]  # which one it is, is decided at run time
    """HTTP as uvicorn speaks it, for clients that hold a connection open without asking anything."""

    loop: asyncio.AbstractEventLoop
    transport: Any
    cycle: Any

    def connection_made(self, transport: Any) -> None:
        """A client is there, and should ask something soon."""
        super().connection_made(transport)
        self._due: asyncio.TimerHandle | None = self.loop.call_later(HEAD_WITHIN, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Part of a request, or all of it."""
        super().data_received(data)
        begun = self.cycle is not None and not self.cycle.response_complete
        if begun:
            self._stop_waiting()
            if self.cycle.more_body:
                self._due = self.loop.call_later(BODY_WITHIN, self._give_up)
        elif self._due is None:  # the beginning of another request
            self._due = self.loop.call_later(HEAD_WITHIN, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _give_up(self) -> None:
        self._due = None
        if self.transport.get_protocol() is self and not self.transport.is_closing():  # and not a WebSocket by now
            self.transport.close()
