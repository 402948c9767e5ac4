"""Clients of benchmarks: plain HTTP over sockets, since they share the machine with the server."""

from __future__ import annotations

import asyncio
import json
import re
import time
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

_REVISION = re.compile(rb'id="part-(\w+)"[^>]*?data-rev="(\w+)"')
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_WANTS = ("Accept-Encoding: gzip", "HX-Request: true")
_OK = 200
_GZIP = 31
"""What zlib calls a stream with a gzip header."""


_PROC = Path("/proc")
_TICKS = 100
"""Units of processor time in a second, on every Linux."""


class Connection:
    """A connection that is kept open, for one request after the other."""

    def __init__(self, address: str) -> None:
        """Prepare a connection to a server."""
        parts = urlsplit(address)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self.received = 0
        """Bytes of the last answer as they were sent."""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return the streams of the connection."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port, limit=1 << 20)
        return self._streams

    async def ask(
        self, method: str, path: str, headers: tuple[str, ...] = (), body: bytes = b""
    ) -> tuple[int, bytes]:
        """Return the status and the body of an answer; connect again if that was closed."""
        lines = (f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", *headers)
        length = (f"Content-Length: {len(body)}",) if body else ()
        request = "\r\n".join((*lines, *length, "", "")).encode() + body
        try:
            return await self._ask(request)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._streams = None
            return await self._ask(request)

    async def _ask(self, request: bytes) -> tuple[int, bytes]:
        reader, writer = await self.open()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        answer = await reader.readexactly(int(length[1])) if length else b""
        self.received = len(answer)
        if b"content-encoding: gzip" in head.lower():
            answer = zlib.decompress(answer, _GZIP)
        return int(head[9:12]), answer

    async def ask_parts(
        self,
        method: str,
        path: str,
        shown: dict[bytes, bytes],
        headers: tuple[str, ...] = (),
        body: str = "",
    ) -> tuple[int, bytes]:
        """Ask for the parts that are not shown yet; note the revisions of all."""
        have = b",".join(b"%b=%b" % pair for pair in shown.items()).decode()
        sent = (*_WANTS, *headers, f"X-Parts: {have}")
        status, answer = await self.ask(method, path, sent, body.encode())
        shown.update(_REVISION.findall(answer) if status == _OK else ())
        return status, answer


class Browser:
    """A browser that watches a table without being signed in, as the page does."""

    def __init__(self, address: str, game: str, heard: int) -> None:
        """Watch a table from a message on."""
        self._address = address
        self._path = f"/table/{game}"
        self._heard = heard
        self._pushed = False
        self._asking = Connection(address)
        self._shown: dict[bytes, bytes] = {}

    async def changes(self) -> AsyncIterator[tuple[int, int]]:
        """Yield the number of the last message whose changes are shown, and the bytes received.

        If the server sends the parts with its messages, they are taken; otherwise they are fetched.
        """
        await self._fetch()
        async for frame, size in self._frames():
            latest = 0
            for event in frame.split(b"\n\n"):
                latest = max(latest, self._read(event))
            if self._pushed and latest:
                yield latest, size
            elif latest > self._heard:
                self._heard = latest
                yield latest, size + await self._fetch()

    def _read(self, event: bytes) -> int:
        """Return the number of the message that an event makes known, or that its parts include."""
        fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
        kind = fields.get(b"event", b"")
        if kind == b"mode":
            self._pushed = fields[b"data"] == b"pushed"
        if kind == b"parts":
            sent = json.loads(fields[b"data"])
            self._shown.update(_REVISION.findall(sent["html"].encode()))
            return int(sent["heard"])
        return 0 if self._pushed else int(fields.get(b"id", 0))

    async def _fetch(self) -> int:
        """Fetch the parts that are not shown yet; return the bytes received."""
        path = f"{self._path}/parts?heard={self._heard}"
        status, _ = await self._asking.ask_parts("GET", path, self._shown)
        if status != _OK:
            raise RuntimeError(f"the parts of a table were answered with {status}")
        return self._asking.received

    async def _frames(self) -> AsyncIterator[tuple[bytes, int]]:
        """Yield the events of the stream, whole ones, and the bytes received."""
        connection = Connection(self._address)
        reader, writer = await connection.open()
        have = b",".join(b"%b=%b" % pair for pair in self._shown.items()).decode()
        path = f"{self._path}/live?after={self._heard}&shown={have}"
        head = (f"GET {path} HTTP/1.1", f"Host: {connection.host}", _WANTS[0], "", "")
        writer.write("\r\n".join(head).encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        packed = b"content-encoding: gzip" in answer.lower()
        unpack = zlib.decompressobj(_GZIP) if packed else None
        rest = b""
        try:
            while size := int((await reader.readuntil(b"\r\n")), 16):
                chunk = (await reader.readexactly(size + 2))[:-2]
                text = (rest + (unpack.decompress(chunk) if unpack else chunk)).replace(
                    b"\r\n", b"\n"
                )
                whole, _, rest = text.rpartition(b"\n\n")
                if whole:
                    yield whole, size
        finally:
            writer.close()


class Processor:
    """The processor time of a server, with all its processes, and of this process.

    It says more than a response time on a machine that has other things to do.
    """

    def __init__(self, pid: int) -> None:
        """Measure a server, by the id of its process."""
        self._pid = pid
        self._begun = (0.0, 0.0, 0.0)

    def begin(self) -> None:
        """Begin to measure."""
        self._begun = self._now()

    def cores(self) -> dict[str, float]:
        """Return how many cores server and clients kept busy; nothing where it is not known."""
        moment, server, own = (
            now - then for now, then in zip(self._now(), self._begun, strict=True)
        )
        shares = {"server": server, "clients": own} if _PROC.exists() else {}
        return {name: round(spent / moment, 2) for name, spent in shares.items()}

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), _spent_by_tree(self._pid), time.process_time()


def _spent_by_tree(pid: int) -> float:
    """Return the processor time in seconds of a process and its descendants, on Linux."""
    children: dict[int, list[int]] = {}
    spent: dict[int, int] = {}
    for path in _PROC.glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = path.read_text().rpartition(") ")[2].split()
            number = int(path.parent.name)
            children.setdefault(int(fields[1]), []).append(number)
            spent[number] = int(fields[11]) + int(fields[12])
    tree = [pid]
    for one in tree:
        tree += children.get(one, [])
    return sum(spent.get(one, 0) for one in tree) / _TICKS if spent else 0.0
