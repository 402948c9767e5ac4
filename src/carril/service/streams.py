"""Streams of server-sent events, and how many of them there may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from sse_starlette.sse import EventSourceResponse
from starlette.types import Receive, Scope, Send

from carril.service.errors import NotFound, TooMany
from carril.service.games import Games
from carril.service.settings import Settings
from carril.service.store.infos import check_visible
from carril.service.values import Message, User
from carril.service.visitors import address

SEATING = ("join", "leave", "seat")
"""Kinds of messages after which somebody may see a table differently, or no longer at all."""


class Streams:
    """Counts the open streams of a service; used in one event loop."""

    def __init__(self, settings: Settings) -> None:
        """Start without streams."""
        self._most = settings.streams
        self._most_of_address = settings.address_streams
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return the number of open streams."""
        return self._open.total()

    @contextmanager
    def counted(self, client: str) -> Iterator[None]:
        """Count a stream while it is open; raise TooMany if there are too many."""
        if self._open.total() >= self._most or self._open[client] >= self._most_of_address:
            raise TooMany("Too many live updates are open. Close some and reload the page.")
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


class Stream(EventSourceResponse):
    """A stream that counts against the limits while it is open."""

    def __init__(self, request: Request, events: AsyncIterator[dict[str, Any]], ping: int) -> None:
        """Stream events to the sender of a request."""
        super().__init__(events, ping=ping)
        self._streams: Streams = request.app.state.streams
        self._client = address(request)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, unless there are too many streams."""
        with self._streams.counted(self._client):
            await super().__call__(scope, receive, send)


async def visible_messages(
    games: Games, line: str, place: int | None, game: str, user: User | None
) -> AsyncIterator[Message]:
    """Yield the messages of a line of a game, as long as the user may see the table."""
    async for message in games.subscribe(line, place):
        if message.kind in SEATING and not await run_in_threadpool(_sees, games, game, user):
            return
        yield message


def _sees(games: Games, game: str, user: User | None) -> bool:
    with games.reading() as reader:
        try:
            check_visible(reader.connection, game, user)
        except NotFound:
            return False
    return True
