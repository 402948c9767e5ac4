"""The stream of a table: messages and, for those who only watch, the parts that changed.

After an action everybody who watches would have to ask for the new parts, and answering them would
take longer than everything else. So the parts are sent in the stream, rendered and packed once for
all (`watching`). People at the table see more than others and ask for their own parts.

A stream begins with an event `mode`: `pushed`, if parts will follow the messages, or `told`. It is
repeated when that changes, because somebody took or left a seat. `fetch` asks the browser to get
the parts itself, because they could not be rendered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from carril.page import view
from carril.page.panels import panel_for
from carril.page.table_request import ShownTable, shown_table
from carril.page.watching import GZIP_HEAD, Key, Role, Watched, Watchers, event_text, packed
from carril.service.errors import NotFound, ServiceError
from carril.service.game_store import Reader
from carril.service.games import Games
from carril.service.jobs.searches import finish
from carril.service.live import Batches
from carril.service.store.infos import check_visible
from carril.service.streams import SEATING, Streams
from carril.service.table_view import read_table
from carril.service.values import Message, User
from carril.service.visitors import Visitor, address

_log = logging.getLogger("carril.page")
_PING = 20.0
"""Seconds after which a stream shows that it is alive."""
_BEGIN = "retry: 1000\n\n"
_PING_TEXT = ": here\n\n"
_FETCH = "event: fetch\ndata: now\n\n"
_ANYBODY = User("-", "")
"""Stands for every user without a seat; nobody has this id."""


@dataclass(frozen=True, slots=True)
class Watching:
    """Who watches a table, and what their browser has."""

    game: str
    user: User | None
    role: Role | None
    """None for the people of the table, who get messages only."""
    language: str
    place: int | None = None
    """The last message that the browser has got."""
    shown: str = ""
    """The revisions of the parts that the browser shows."""


def role_of(reader: Reader, game: str, user: User | None) -> Role | None:
    """Return the role of somebody who only watches, or None for the people of a table.

    Raise NotFound if they may not see it.
    """
    check_visible(reader.connection, game, user)
    if user is None:
        reader.line(game)
        return "nobody"
    info = reader.info(game)
    return None if info.seats_of(user) or info.owner == user.id else "user"


def watched_table(request: Request, games: Games, key: Key) -> ShownTable:
    """Return the latest position of a table as everybody sees it who only watches.

    Raise NotFound if they may not see it any more.
    """
    user = None if key.role == "nobody" else _ANYBODY
    with games.reading() as reader:
        check_visible(reader.connection, key.game, None)
        shown = read_table(reader, key.game, user)
    return shown_table(request, Visitor(user), shown)


async def render_watched(request: Request, games: Games, key: Key) -> Watched:
    """Return the parts of a table for everybody who only watches."""
    return await run_in_threadpool(lambda: watched_table(request, games, key).watched())


async def search_watched(request: Request, games: Games, key: Key) -> None:
    """Wait for the search that the latest position of a table needs."""
    table = await run_in_threadpool(watched_table, request, games, key)
    with suppress(ServiceError):  # the page says what is known
        await finish(partial(panel_for, view.scene_of(table.asked.look)))


class TableStream(Response):
    """The stream of a table for one browser."""

    def __init__(self, request: Request, games: Games, asked: Watching) -> None:
        """Stream a table to whoever watches it."""
        super().__init__()
        self._request = request
        self._games = games
        self._asked = asked
        self._role = asked.role
        self._shown = asked.shown
        self._packs = "gzip" in request.headers.get("Accept-Encoding", "")
        self._watchers: Watchers = request.app.state.watchers
        self._completing: asyncio.Future[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream until the browser leaves, unless there are too many streams."""
        streams: Streams = self._request.app.state.streams
        with streams.counted(address(self._request)):
            sending = asyncio.create_task(self._send_all(send))
            leaving = asyncio.create_task(_has_left(receive))
            try:
                await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await _cancelled(sending, leaving)
        if not sending.cancelled() and (error := sending.exception()):
            raise error

    async def _send_all(self, send: Send) -> None:
        head = {"type": "http.response.start", "status": 200, "headers": self._start_headers()}
        await send(head)

        async def put(frame: bytes) -> None:
            await send({"type": "http.response.body", "body": frame, "more_body": True})

        await put((GZIP_HEAD if self._packs else b"") + self._plain(_BEGIN + self._mode()))
        with suppress(NotFound):  # the table was deleted, or is not shown to this user any more
            await self._send_frames(put)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _start_headers(self) -> list[tuple[bytes, bytes]]:
        packed_ = [(b"content-encoding", b"gzip")] if self._packs else []
        return [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
            (b"vary", b"Accept-Encoding"),
            *packed_,
        ]

    async def _send_frames(self, put: Callable[[bytes], Awaitable[None]]) -> None:
        """Send what happens, until the service ends."""
        async with aclosing(self._games.batches(self._asked.game, self._asked.place)) as batches:
            await self._relay(batches, put)

    async def _relay(self, batches: Batches, put: Callable[[bytes], Awaitable[None]]) -> None:
        coming = asyncio.ensure_future(anext(batches, None))
        try:
            while True:
                happened = await self._something(coming)
                messages = coming.result() if coming in happened else []
                if messages is None:
                    return
                if coming in happened:
                    coming = asyncio.ensure_future(anext(batches, None))
                await put(await self._frame(messages) if happened else self._plain(_PING_TEXT))
        finally:
            await _cancelled(coming, self._completing)

    async def _something(self, coming: asyncio.Future[Any]) -> set[asyncio.Future[Any]]:
        """Wait for messages or the end of a search; return what has come, if anything."""
        waiting = {coming} | ({self._completing} if self._completing else set())
        first = asyncio.FIRST_COMPLETED
        return (await asyncio.wait(waiting, timeout=_PING, return_when=first))[0]

    async def _frame(self, messages: Sequence[Message]) -> bytes:
        """Return what a browser gets after some messages, or after the end of a search."""
        if self._completing and self._completing.done():
            self._completing = None
        before = b""
        if any(message.kind in SEATING for message in messages):
            before = await self._look_again()
        if self._role is None:
            return before + self._plain("".join(map(event_text, messages)))
        heard = messages[-1].id if messages else 0
        try:
            return before + await self._pushed(self._role, messages, heard)
        except NotFound:
            raise
        except (ServiceError, SQLAlchemyError) as error:
            _log.warning("the parts of game %s were not pushed: %s", self._asked.game, error)
            return before + self._plain("".join(map(event_text, messages)) + _FETCH)

    async def _look_again(self) -> bytes:
        """Return the event for a user whose role has changed; raise NotFound if they must leave."""
        role = await run_in_threadpool(self._read_role)
        if role == self._role:
            return b""
        self._role, self._shown = role, ""
        return self._plain(self._mode())

    def _read_role(self) -> Role | None:
        with self._games.reading() as reader:
            return role_of(reader, self._asked.game, self._asked.user)

    async def _pushed(self, role: Role, messages: Sequence[Message], heard: int) -> bytes:
        """Return messages and the parts that include them."""
        key = Key(self._asked.game, role, self._asked.language)
        make = partial(render_watched, self._request, self._games, key)
        found = await self._watchers.get(key, heard, make)
        frame = found.frame(messages, self._shown, self._packs)
        self._shown = found.revisions
        self._complete(key, found)
        return frame

    def _complete(self, key: Key, found: Watched) -> None:
        """Send the parts again when a search has ended."""
        if self._completing or not found.later:
            return
        search = partial(search_watched, self._request, self._games, key)
        make = partial(render_watched, self._request, self._games, key)
        self._completing = asyncio.ensure_future(self._watchers.completed(key, search, make))

    def _mode(self) -> str:
        return f"event: mode\ndata: {'told' if self._role is None else 'pushed'}\n\n"

    def _plain(self, text: str) -> bytes:
        return packed(text) if self._packs else text.encode()


async def _has_left(receive: Receive) -> None:
    """Wait until the browser has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _cancelled(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel tasks and wait until they have ended."""
    running = [task for task in tasks if task is not None]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
