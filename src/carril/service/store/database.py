"""Opening a database: SQLite, set up to survive a killed process, or PostgreSQL by its URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.pool import QueuePool

from carril.service.store.migrate import migrate

_BUSY = 15.0
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA cache_size=-8000",
)


class Database:
    """A database with two kinds of transaction: reading, and writing all or nothing."""

    def __init__(self, url: str) -> None:
        """Open a database and migrate its tables; "sqlite://" opens a temporary one."""
        self._folder: TemporaryDirectory[str] | None = None
        if url in ("sqlite://", "sqlite:///:memory:"):
            self._folder = TemporaryDirectory(prefix="carril-")
            url = f"sqlite:///{self._folder.name}/carril.db"
        self.engine = _engine(url)
        migrate(self.engine)

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
        """Open a write transaction: everything is committed, or nothing."""
        with self.engine.connect() as connection:
            connection.info["writing"] = True
            try:
                with connection.begin():
                    yield connection
            finally:
                connection.info.pop("writing", None)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        if self._folder:
            self._folder.cleanup()


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_size=10, max_overflow=20, pool_pre_ping=True)
    file = make_url(url).database
    if file:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
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
    """Take the write lock at the start of a write transaction, so that it cannot fail half-way."""
    writing = connection.info.get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
