"""The parts of a table as responses: only what changed, and once for all who only watch.

A browser names the revisions of the parts it shows. A part that it has already is sent as an empty
element with its revision. Everybody who watches a table without a seat sees the same, so that is
rendered and compressed once, for responses (`/parts`) as well as for streams (`pushing`).
"""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

import msgspec
from fastapi import Request
from fastapi.responses import HTMLResponse

from carril.engine.cache import Cache
from carril.page.render import Html, Part
from carril.service.values import Message

HEADER = "X-Parts"
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
"""How a stream begins whose frames are packed."""
_MOST = 600
"""Letters of the revisions that are read; there are about 200."""
_FRESH = 2.0
"""Seconds in which a response is sent again; clocks go on without a message."""
_GZIP_LEVEL = 4
_SMALL = 1024
"""Bytes that are not worth compressing."""

Role = Literal["nobody", "user"]
"""Who only watches: somebody who is not signed in, or a user without a seat."""


def read_revisions(text: str) -> dict[str, str]:
    """Return revisions by the names of their parts.

    >>> read_revisions("map=1f,log=2,odd")
    {'map': '1f', 'log': '2'}
    """
    return dict(one.split("=", 1) for one in text[:_MOST].split(",") if "=" in one)


def shown_revisions(request: Request) -> dict[str, str]:
    """Return the revisions of the parts that a browser shows, by name."""
    return read_revisions(request.headers.get(HEADER, ""))


def changed_parts(parts: Mapping[str, Part], shown: Mapping[str, str]) -> str:
    """Return the parts that replace those of a browser; those that it has are empty.

    >>> from carril.page.render import Part
    >>> changed_parts({"map": Part("map", "1f", "<p>"), "log": Part("log", "2", "")}, {"map": "1f"})
    ... # doctest: +ELLIPSIS
    '<div id="part-map" data-rev="1f" data-same hx-swap-oob="outerHTML"></div><div id="part-log"...'
    """
    return "".join(
        part.unchanged() if shown.get(name) == part.revision else part.replacing()
        for name, part in parts.items()
    )


def event_text(message: Message) -> str:
    """Return a message as a server-sent event."""
    data = msgspec.json.encode(message.data).decode()
    return f"id: {message.id}\nevent: {message.kind}\ndata: {data}\n\n"


def packed(text: str) -> bytes:
    """Return a piece of a gzip stream that does not depend on what was sent before.

    So the same bytes can be sent in every stream.
    """
    packer = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)


@dataclass(frozen=True)
class Watched:
    """What everybody sees who watches a table, from the moment when it was read."""

    heard: int
    """The number of the last message that it includes."""
    parts: Mapping[str, Part]
    lasting: bool = True
    """Whether it is complete; otherwise the best run is missing."""
    later: bool = False
    """Whether the result of a search follows."""
    moment: float = field(default_factory=time.monotonic)
    _answers: Cache[tuple[str, bytes]] = field(default_factory=lambda: Cache(8))
    _frames: Cache[bytes] = field(default_factory=lambda: Cache(8))

    @cached_property
    def revisions(self) -> str:
        """The revisions of all parts, as a browser names them."""
        return ",".join(f"{name}={part.revision}" for name, part in self.parts.items())

    def response(self, request: Request) -> HTMLResponse:
        """Return the parts that a browser does not have, compressed once for all."""
        text, small = self._answers.get(
            request.headers.get(HEADER, "")[:_MOST],
            lambda: _compressed(changed_parts(self.parts, shown_revisions(request))),
        )
        if not small or "gzip" not in request.headers.get("Accept-Encoding", ""):
            return Html(text)
        response = Html(small)
        response.headers.update({"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
        return response

    def frame(self, messages: Sequence[Message], shown: str, pack: bool) -> bytes:
        """Return messages and the parts that a browser lacks as a piece of its stream."""
        key = (messages[0].id if messages else 0, len(messages), shown, pack)
        return self._frames.get(key, lambda: self._framed(messages, shown, pack))

    def _framed(self, messages: Sequence[Message], shown: str, pack: bool) -> bytes:
        text = "".join(map(event_text, messages))
        if shown != self.revisions:
            html = changed_parts(self.parts, read_revisions(shown))
            data = msgspec.json.encode({"heard": self.heard, "html": html}).decode()
            text += f"event: parts\ndata: {data}\n\n"
        return packed(text) if pack else text.encode()


def _compressed(text: str) -> tuple[str, bytes]:
    data = text.encode()
    return text, gzip.compress(data, _GZIP_LEVEL) if len(data) > _SMALL else b""


class Key(NamedTuple):
    """What a shared rendering depends on besides the messages that it includes."""

    game: str
    role: Role
    language: str


Make = Callable[[], Awaitable[Watched]]


class Others(Protocol):
    """Other processes, which may have rendered a table already."""

    async def wait(self, key: Key, heard: int) -> Watched | None:
        """Return parts that include a message, or None."""

    def put(self, key: Key, heard: int, made: Watched) -> None:
        """Let them have what was rendered for a message."""


class Watchers:
    """The latest parts of watched tables; used in one event loop."""

    def __init__(self, most: int = 256, others: Others | None = None) -> None:
        """Start without any."""
        self._others = others
        self._latest: Cache[Watched] = Cache(most)
        self._making: dict[Key, asyncio.Task[Watched]] = {}
        self._completing: dict[Key, asyncio.Task[Watched]] = {}
        self._one = asyncio.Lock()  # those who watch can wait; those who act cannot

    async def get(self, key: Key, heard: int, make: Make, fresh: bool = False) -> Watched:
        """Return parts that include a message; `fresh` ones for a response are not old either.

        Of many who ask at the same time, one waits for `make` and the others for its result.
        """
        while True:
            found = self._latest.find(key)
            if found and found.heard >= heard and not (fresh and _is_old(found)):
                return found
            making = self._making.get(key) or self._begin(key, make, 0 if fresh else heard)
            made = await asyncio.shield(making)
            if made.heard >= heard:
                return made

    async def completed(self, key: Key, search: Callable[[], Awaitable[None]], make: Make) -> None:
        """Wait until a search has ended and its result is part of what `get` returns."""
        task = self._completing.get(key)
        if task is None:
            task = asyncio.ensure_future(self._complete(key, search, make))
            self._completing[key] = task
        await asyncio.shield(task)

    async def _complete(
        self, key: Key, search: Callable[[], Awaitable[None]], make: Make
    ) -> Watched:
        try:
            await search()
            return await self._begin(key, make)
        finally:
            del self._completing[key]

    def _begin(self, key: Key, make: Make, heard: int = 0) -> asyncio.Task[Watched]:
        """Begin to render a table; the task goes on even if nobody waits for it any more.

        What another process has rendered after the message `heard` will do as well.
        """
        task = asyncio.ensure_future(self._made(key, make, heard))
        self._making[key] = task
        task.add_done_callback(lambda _: self._forget(key, task))
        return task

    def _forget(self, key: Key, task: asyncio.Task[Watched]) -> None:
        if self._making.get(key) is task:
            del self._making[key]
        if not task.cancelled():
            task.exception()  # those who waited have got it

    async def _made(self, key: Key, make: Make, heard: int) -> Watched:
        """Render one table after the other, so that actions have the other threads."""
        others = self._others if heard else None
        made = await others.wait(key, heard) if others else None
        if made is None:
            async with self._one:
                made = await make()
            if others:
                others.put(key, heard, made)
        latest = self._latest.find(key)
        if latest is None or latest.heard <= made.heard:
            self._latest.put(key, made)
        return made


def _is_old(found: Watched) -> bool:
    return time.monotonic() - found.moment > _FRESH or not found.lasting
