"""The format of backups, which is the same for every database.

A backup is a gzip file of lines of JSON. The first line is a `Header`: the revision of the tables,
their columns and the kinds of their values. Then comes a line for each row, `["users", [...]]`, in
an order in which the rows can be inserted. The last line is a `Trailer` with the number of rows and
the SHA-256 hash of all lines before it. Times are in UTC, bytes in Base64.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Boolean, DateTime, Float, Integer, LargeBinary, String
from sqlalchemy.types import TypeEngine

from carril.engine.refusals import CarrilError

FORMAT = "carril-backup"
VERSION = 1

Kind = Literal["bytes", "boolean", "integer", "number", "time", "text"]
KINDS: dict[Kind, tuple[type[TypeEngine[Any]], Any]] = {
    "bytes": (LargeBinary, bytes | None),
    "boolean": (Boolean, bool | None),
    "integer": (Integer, int | None),
    "number": (Float, float | None),
    "time": (DateTime, datetime | None),
    "text": (String, str | None),
}
"""The kinds of values, with the types of their columns in a database and in Python."""


class BadBackup(CarrilError):
    """A file that is not a backup, is damaged, or was written by a newer version."""


class Header(Struct, frozen=True):
    """The first line of a backup."""

    format: str
    version: int
    revision: str
    created: datetime
    tables: dict[str, dict[str, Kind]]

    def row_type(self, table: str) -> Any:
        """Return the type of the values of a row."""
        return tuple[tuple(KINDS[kind][1] for kind in self.tables[table].values())]  # type: ignore[misc]


class Trailer(Struct, frozen=True):
    """The last line of a backup."""

    rows: dict[str, int]
    sha256: str


def kind_of(column_type: TypeEngine[Any]) -> Kind:
    """Return the kind of the values of a column."""
    stored: Any = getattr(column_type, "impl", column_type)
    return next(kind for kind, (known, _) in KINDS.items() if isinstance(stored, known))


class BackupWriter:
    """Writes a backup line by line."""

    def __init__(self, file: IO[bytes], header: Header) -> None:
        """Begin with the header."""
        self._file = file
        self._hash = hashlib.sha256()
        self.rows = dict.fromkeys(header.tables, 0)
        self._write(msgspec.json.encode(header))

    def add(self, table: str, values: list[Any]) -> None:
        """Write a row."""
        utc = [one.astimezone(UTC) if isinstance(one, datetime) else one for one in values]
        self._write(msgspec.json.encode((table, utc)))
        self.rows[table] += 1

    def finish(self) -> None:
        """Write the last line."""
        trailer = Trailer(self.rows, self._hash.hexdigest())
        self._file.write(msgspec.json.encode(trailer) + b"\n")

    def _write(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self._hash.update(line + b"\n")


@contextmanager
def compressed(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Open the compressed content of a backup for writing."""
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as inner:
        buffered = io.BufferedWriter(inner, 1 << 16)
        yield buffered
        buffered.flush()
        buffered.detach()


class BackupReader:
    """Reads a backup; raises BadBackup in one line if there is anything wrong with the file."""

    def __init__(self, path: Path) -> None:
        """Read the header."""
        self._path = path
        with self._lines() as lines:
            self.header = self._read_header(next(lines, b""))

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the table and the values of every row by column; check the whole file."""
        types = {table: self.header.row_type(table) for table in self.header.tables}
        counts = dict.fromkeys(types, 0)
        seen = hashlib.sha256()
        last = b""
        with self._lines() as lines:
            seen.update(next(lines))
            for line in lines:
                if last:
                    seen.update(last)
                    table, values = self._read_row(last, types)
                    counts[table] += 1
                    yield table, values
                last = line
        if self._read_trailer(last) != Trailer(counts, seen.hexdigest()):
            raise self._bad("it is damaged: its content does not match its checksum")

    @contextmanager
    def _lines(self) -> Iterator[Iterator[bytes]]:
        try:
            with gzip.open(self._path, "rb") as file:
                yield iter(file)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._bad(f"it is damaged or not a backup: {error}") from None

    def _bad(self, what: str) -> BadBackup:
        return BadBackup(f"{self._path}: {what}")

    def _read_header(self, line: bytes) -> Header:
        try:
            header = msgspec.json.decode(line, type=Header)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise self._bad("it is not a backup of Carril") from None
        if header.format != FORMAT:
            raise self._bad("it is not a backup of Carril")
        if header.version > VERSION:
            raise self._bad("it was written by a newer version of Carril")
        return header

    def _read_row(self, line: bytes, types: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        try:
            table, values = msgspec.json.decode(line, type=tuple[str, list[Any]])
            converted = msgspec.convert(values, types[table])
        except (msgspec.MsgspecError, UnicodeDecodeError, KeyError):
            raise self._bad("it is damaged: it contains a line that is not a row") from None
        return table, dict(zip(self.header.tables[table], converted, strict=True))

    def _read_trailer(self, line: bytes) -> Trailer:
        try:
            return msgspec.json.decode(line, type=Trailer)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise self._bad("it is damaged: its end is missing") from None
