"""Limits on connections: how many there are, and how long the header of a request may take."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from carril.service.settings import Settings
from carril.service.visitors import network


class Connections:
    """Counts the open connections of a server."""

    def __init__(self, settings: Settings) -> None:
        """Start without connections; those of proxies are limited only in total."""
        self._most = settings.connections
        self._most_of_address = settings.address_connections
        self._proxies = frozenset(proxy_list(settings))
        self._open: Counter[str] = Counter()
        self.header_seconds = settings.header_seconds
        self.most_dropped = settings.upload_bytes + settings.body_bytes

    def admit(self, host: str) -> bool:
        """Count a new connection; return False if there are too many."""
        address = network(host)
        if self._open.total() >= self._most:
            return False
        if host not in self._proxies and self._open[address] >= self._most_of_address:
            return False
        self._open[address] += 1
        return True

    def release(self, host: str) -> None:
        """Count a connection that has ended."""
        address = network(host)
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


def proxy_list(settings: Settings) -> list[str]:
    """Return the addresses of the reverse proxies."""
    return [one.strip() for one in settings.proxies.split(",") if one.strip()]


class LimitedProtocol(H11Protocol):
    """HTTP on one connection, which is closed when it is one too many or its header is late."""

    counted: Connections
    _host: str | None = None
    _late: asyncio.TimerHandle | None = None
    _dropped: int = 0
    """Bytes of a body that arrived after the response to it: who sends that much is cut off."""

    def connection_made(self, transport: Any) -> None:
        """Accept a connection, or close it at once."""
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if peer else ""
        if not self.counted.admit(host):
            transport.abort()
            return
        self._host = host
        super().connection_made(transport)
        self._await_header()

    def data_received(self, data: bytes) -> None:
        """Read what has arrived."""
        if self._host is None or self._is_dropped(data):
            return
        super().data_received(data)
        self._await_header()

    def _is_dropped(self, data: bytes) -> bool:
        """Close the connection if too much arrives of a body that nobody reads any more."""
        if self.conn.our_state is not h11.DONE or self.conn.their_state is not h11.SEND_BODY:
            self._dropped = 0
            return False
        self._dropped += len(data)
        if self._dropped > self.counted.most_dropped:
            self.transport.close()
        return self.transport.is_closing()

    def on_response_complete(self) -> None:
        """Go on with the next request on the connection."""
        super().on_response_complete()
        self._await_header()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection that has ended."""
        if self._host is None:
            return
        self.counted.release(self._host)
        self._host = None
        self._stop_timer()
        super().connection_lost(exc)

    def eof_received(self) -> None:
        """Let a connection that was refused end."""
        if self._host is not None:
            super().eof_received()

    def _await_header(self) -> None:
        """Close the connection if the header of the next request does not arrive in time."""
        waiting = self.cycle is None or self.cycle.response_complete
        if not waiting or self.transport.is_closing():
            self._stop_timer()
        elif self._late is None:
            seconds = self.counted.header_seconds
            self._late = self.loop.call_later(seconds, self.transport.close)

    def _stop_timer(self) -> None:
        if self._late:
            self._late.cancel()
            self._late = None


def limited_protocol(settings: Settings) -> type[LimitedProtocol]:
    """Return the protocol class of a server with these settings."""
    return type("Protocol", (LimitedProtocol,), {"counted": Connections(settings)})
