"""Opening a database: SQLite, set up to survive a killed process, or PostgreSQL by its URL."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.pool import QueuePool

from carril.service.errors import Busy
from carril.service.store.group_commit import GroupCommit
from carril.service.store.migrate import migrate

_BUSY = 5.0
"""Seconds to wait for a lock before a write is refused."""
_WRITERS = 20
"""Threads that may write or wait for a lock; the others stay free for reading."""
_WRITER_WAIT = 0.5
"""Seconds to wait for one of these to finish before a write is refused."""
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA cache_size=-8000",
)


class Database:
    """A database with two kinds of transaction: reading, and writing all or nothing."""

    def __init__(self, url: str, *, migrated: bool = False) -> None:
        """Open a database and migrate its tables, unless they are known to be `migrated`.

        "sqlite://" opens a temporary one.
        """
        self._folder: TemporaryDirectory[str] | None = None
        self._writers = threading.BoundedSemaphore(_WRITERS)
        if url in ("sqlite://", "sqlite:///:memory:"):
            self._folder = TemporaryDirectory(prefix="carril-")
            url = f"sqlite:///{self._folder.name}/carril.db"
        self.engine = open_engine(url)
        self._together = None if self.is_postgres else GroupCommit(self.engine, _BUSY)
        if not migrated:
            migrate(self.engine)

    @property
    def url(self) -> str:
        """The URL at which another process can open it."""
        return self.engine.url.render_as_string(hide_password=False)

    @property
    def is_postgres(self) -> bool:
        """Whether it can notify other processes (LISTEN and NOTIFY)."""
        return self.engine.dialect.name == "postgresql"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a read transaction; all its reads see the same state of the database."""
        with self.engine.connect() as connection:
            if self.is_postgres:
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a write transaction: everything is committed, or nothing.

        Raise Busy if too many others are waiting to write.
        """
        with _taken(self._writers, _WRITER_WAIT), self._transaction() as connection:
            yield connection

    def _transaction(self) -> AbstractContextManager[Connection]:
        return self._together.writing() if self._together else self.engine.begin()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self._folder:
            self._folder.cleanup()


@contextmanager
def _taken(places: threading.Semaphore, seconds: float) -> Iterator[None]:
    """Hold one of some places; raise Busy if none is free in time."""
    if not places.acquire(timeout=seconds):
        raise Busy("Too many changes are waiting to be stored. Please try again in a moment.")
    try:
        yield
    finally:
        places.release()


def open_engine(url: str) -> Engine:
    """Return a pool of connections to a database, whose tables may not exist yet."""
    if not url.startswith("sqlite"):
        wait = {"options": f"-c lock_timeout={int(_BUSY * 1000)}"}
        return create_engine(
            url, pool_size=10, max_overflow=40, pool_pre_ping=True, connect_args=wait
        )
    file = make_url(url).database
    if file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).touch(mode=0o600)  # its WAL gets the same mode
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=10,
        max_overflow=40,
        connect_args={"timeout": _BUSY, "check_same_thread": False},
    )
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def _set_pragmas(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions are begun explicitly, see _begin
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _begin(connection: Connection) -> None:
    """Take the write lock at the start of a write transaction, so that it cannot fail half-way.

    SQLite waits for it, unless the connection is "impatient": then it is tried again by others.
    """
    if connection.info.get("impatient"):
        connection.exec_driver_sql("PRAGMA busy_timeout=0")
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={int(_BUSY * 1000)}")
    else:
        writing = connection.info.get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
