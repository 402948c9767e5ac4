"""Live updates: the messages of a table, sent to everybody who watches it.

A process reads each message once, however many clients watch a table. It learns of new messages
from its own commits immediately; from those of other processes by LISTEN on PostgreSQL, and on
SQLite by polling all watched tables several times a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing

import msgspec
import psycopg

from carril.service.game_store import GameStore
from carril.service.store.journal import CHANNEL, Line, heard_of, messages_after
from carril.service.values import Message

_log = logging.getLogger("carril.service.live")

Batches = AsyncGenerator[list[Message], None]
"""Messages, all those at once that have arrived."""
_KEPT = 256
_RARE = 5.0
"""Seconds between polls where the database sends notifications."""


class _Channel:
    """A watched table: its last messages, and an event that is set when new ones arrive."""

    def __init__(self, line: str, place: int, loop: asyncio.AbstractEventLoop) -> None:
        self.line = line
        self.loop = loop
        self.place = place
        self.kept: deque[Message] = deque(maxlen=_KEPT)
        self.news = asyncio.Event()
        self.wake = asyncio.Event()
        self.watchers = 0

    def publish(self, found: list[Message]) -> None:
        self.kept.extend(found)
        self.place = found[-1].id
        self.news.set()
        self.news = asyncio.Event()

    def end(self) -> None:
        """Wake the watchers for the last time."""
        self.news.set()

    def after(self, place: int) -> list[Message] | None:
        """Return the messages after a place, or None if they are no longer in memory."""
        if place >= self.place:
            return []
        if not self.kept or self.kept[0].id > place + 1:
            return None
        return [message for message in self.kept if message.id > place]


class Live:
    """The watched tables of this process."""

    def __init__(self, store: GameStore, poll: float = 0.15) -> None:
        """Start listening to what this process writes."""
        self._store = store
        self._poll = _RARE if store.database.is_postgres else poll
        self._channels: dict[tuple[int, str], _Channel] = {}
        self._tasks: dict[tuple[int, str], asyncio.Task[None]] = {}
        self._pollers: dict[int, asyncio.Task[None]] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._ended = False
        self._listener: threading.Thread | None = None
        store.on_change.append(self._on_change)

    # --- watching ------------------------------------------------------------------------

    async def watch(self, line: str, after: int | None = None) -> AsyncIterator[Message]:
        """Yield the messages of a line from now on, or after the one with this id."""
        async with aclosing(self.batches(line, after)) as batches:
            async for found in batches:
                for message in found:
                    yield message

    async def batches(self, line: str, after: int | None = None) -> Batches:
        """Yield the messages of a line like `watch`, all those at once that have arrived."""
        channel = await self._join(line)
        place = channel.place if after is None else after
        try:
            while not self._ended:
                news = channel.news
                found = channel.after(place)
                if found is None:
                    found = await asyncio.to_thread(self._read, line, place)
                if found:
                    place = found[-1].id
                    yield found
                else:
                    await news.wait()
        finally:
            self._leave(channel)

    async def _join(self, line: str) -> _Channel:
        loop = asyncio.get_running_loop()
        key = (id(loop), line)
        if key not in self._channels:
            place = await asyncio.to_thread(self._place, line)
            if key not in self._channels:
                self._open(key, _Channel(line, place, loop))
        channel = self._channels[key]
        channel.watchers += 1
        return channel

    def _open(self, key: tuple[int, str], channel: _Channel) -> None:
        with self._lock:
            self._channels[key] = channel
            if self._store.database.is_postgres and self._listener is None:
                self._listener = threading.Thread(target=self._listen, daemon=True)
                self._listener.start()
        channel.wake.set()  # a message may have arrived while the channel was being opened
        self._tasks[key] = channel.loop.create_task(self._feed(channel))
        if key[0] not in self._pollers:
            self._pollers[key[0]] = channel.loop.create_task(self._look(key[0]))

    def _leave(self, channel: _Channel) -> None:
        channel.watchers -= 1
        if channel.watchers:
            return
        key = (id(channel.loop), channel.line)
        with self._lock:
            self._channels.pop(key, None)
        self._tasks.pop(key).cancel()
        if not any(loop == key[0] for loop, _ in self._channels):
            self._pollers.pop(key[0]).cancel()

    async def _feed(self, channel: _Channel) -> None:
        """Read new messages whenever there may be some, once for all watchers."""
        while True:
            await channel.wake.wait()
            channel.wake.clear()
            with _logged("reading messages"):
                found = await asyncio.to_thread(self._read, channel.line, channel.place)
                if found:
                    channel.publish(found)

    def _receive(self, address: str) -> None:
        """Wake the tables that notifications name until the service closes."""
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._wake(None)
            while not self._closing.is_set():
                for notice in connection.notifies(timeout=1.0):
                    self._wake(notice.payload)

    async def _look(self, loop: int) -> None:
        """Poll the watched tables for new messages."""
        while True:
            await asyncio.sleep(self._poll)
            watched = {line: c for (of, line), c in self._channels.items() if of == loop}
            with _logged("looking for messages"):
                heard = await asyncio.to_thread(self._heard, list(watched))
                for line in (line for line, c in watched.items() if heard.get(line, 0) > c.place):
                    watched[line].wake.set()

    # --- waking --------------------------------------------------------------------------

    def _on_change(self, line: Line) -> None:
        self._wake(line.id)

    def _wake(self, line: str | None) -> None:
        """Wake the watchers of a line, or all; from any thread."""
        with self._lock:
            chosen = [c for c in self._channels.values() if line in (None, c.line)]
        for channel in chosen:
            with contextlib.suppress(RuntimeError):  # its loop is closed
                channel.loop.call_soon_threadsafe(channel.wake.set)

    def _listen(self) -> None:
        """Receive notifications of other processes on PostgreSQL; reconnect if necessary."""
        url = self._store.database.engine.url.set(drivername="postgresql")
        while not self._closing.is_set():
            try:
                self._receive(url.render_as_string(hide_password=False))
            except psycopg.Error as error:
                _log.warning("lost the connection that listens for notifications: %s", error)
                self._closing.wait(1.0)

    # --- reading -------------------------------------------------------------------------

    def _read(self, line: str, place: int) -> list[Message]:
        with self._store.database.reading() as connection:
            rows = messages_after(connection, line, place)
        return [Message(number, kind, msgspec.json.decode(data)) for number, kind, data in rows]

    def _heard(self, wanted: list[str]) -> dict[str, int]:
        with self._store.database.reading() as connection:
            return heard_of(connection, wanted)

    def _place(self, line: str) -> int:
        return self._heard([line]).get(line, 0)

    def end(self) -> None:
        """End all streams: those who watch have heard everything so far."""
        self._ended = True
        with self._lock:
            watched = list(self._channels.values())
        for channel in watched:
            with contextlib.suppress(RuntimeError):  # its loop is closed
                channel.loop.call_soon_threadsafe(channel.end)

    def close(self) -> None:
        """Stop listening."""
        self._closing.set()
        if self._listener:
            self._listener.join(timeout=3)


@contextlib.contextmanager
def _logged(what: str) -> Iterator[None]:
    try:
        yield
    except asyncio.CancelledError:
        raise
    except Exception:
        _log.exception("%s failed", what)
