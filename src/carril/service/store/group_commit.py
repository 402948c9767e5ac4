"""Writing to SQLite: transactions of several threads that are committed together.

A commit waits for the disk, and SQLite has one writer at a time; so with a commit for each change,
the disk would decide how many changes there are in a second. Instead, a thread that finds others
waiting leaves the commit to them. The last one, or one that finds that the first has waited long
enough, commits for all. Each change has a savepoint, so it can fail alone; none of them is
acknowledged or refused before the commit.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, RootTransaction
from sqlalchemy.exc import OperationalError

from carril.service.errors import Busy

_MOST = 24
"""Changes that are committed together."""
_LONGEST = 0.03
"""Seconds after which the first of them must not wait for another change."""
_MARKS = {"writing": True, "impatient": True}
"""What tells the database to take the write lock, and not to wait for it."""
_POLL = 0.001
"""Seconds between attempts to get the write lock from another process."""


class _Batch:
    """An open transaction with changes of several threads."""

    def __init__(self, connection: Connection, transaction: RootTransaction) -> None:
        self.connection = connection
        self.transaction = transaction
        self.begun = time.monotonic()
        self.changes = 0
        self.done = threading.Event()
        self.error: Exception | None = None

    @property
    def intact(self) -> bool:
        """Whether SQLite has not rolled everything back, as it may when the disk is full.

        It must be asked after every change: a further savepoint would begin a new transaction, and
        a commit without a transaction does nothing.
        """
        driver = self.connection.connection.dbapi_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver.in_transaction


class GroupCommit:
    """The write transactions of one process."""

    def __init__(self, engine: Engine, patience: float) -> None:
        """Write through an engine; a change waits `patience` seconds for its turn."""
        self._engine = engine
        self._patience = patience
        self._turn = threading.Condition()
        self._busy = False
        self._waiting = 0
        self._batch: _Batch | None = None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a write transaction; when the block ends, it is committed.

        Raise Busy if the write lock is not free in time.
        """
        self._enter()
        try:
            batch = self._batch = self._batch or self._begin()
        except BaseException:
            self._release()
            raise
        try:
            with batch.connection.begin_nested():
                yield batch.connection
            batch.changes += 1
        finally:
            self._leave(batch)
            # A change that is refused may be so because of one that is not committed yet.
            batch.done.wait()
            if batch.error:
                raise batch.error

    def _enter(self) -> None:
        """Wait until no other thread writes."""
        with self._turn:
            self._waiting += 1
            free = self._turn.wait_for(lambda: not self._busy, self._patience)
            self._waiting -= 1
            if not free:
                raise Busy("Too many changes are waiting to be stored. Please try again soon.")
            self._busy = True

    def _begin(self) -> _Batch:
        connection = self._engine.connect()
        connection.info.update(_MARKS)
        try:
            return _Batch(connection, self._begin_immediate(connection))
        except BaseException:
            _close(connection)
            raise

    def _begin_immediate(self, connection: Connection) -> RootTransaction:
        """Take the write lock; try often, because SQLite itself would wait longer and longer."""
        end = time.monotonic() + self._patience
        while True:
            try:
                return connection.begin()
            except OperationalError as error:
                if "locked" not in str(error.orig) or time.monotonic() > end:
                    raise
                time.sleep(_POLL)

    def _leave(self, batch: _Batch) -> None:
        """Commit, unless another thread is there that will."""
        with self._turn:
            young = time.monotonic() - batch.begun < _LONGEST and batch.changes < _MOST
            if self._waiting and young and batch.intact:
                self._busy = False
                self._turn.notify()
                return
        try:
            _end(batch)
        finally:
            self._batch = None
            self._release()
            batch.done.set()

    def _release(self) -> None:
        with self._turn:
            self._busy = False
            self._turn.notify()


def _end(batch: _Batch) -> None:
    """Commit the changes of a batch, or note why that failed."""
    try:
        if not batch.intact:
            raise Busy("The change could not be stored. Please try again in a moment.")
        if batch.changes:
            batch.transaction.commit()
        else:
            batch.transaction.rollback()
    except Exception as error:
        batch.error = error
        batch.connection.invalidate()  # nobody knows in which state it is
    finally:
        _close(batch.connection)


def _close(connection: Connection) -> None:
    if not connection.invalidated:
        for mark in _MARKS:
            connection.info.pop(mark, None)
    connection.close()
