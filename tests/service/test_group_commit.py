"""Changes to SQLite that are committed together: each fails alone, and none is lost."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import SQLAlchemyError

from carril.service.errors import Busy
from carril.service.store import group_commit
from carril.service.store.database import Database
from tests.service.table import until


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """A database with a table of numbers, whose changes may wait long for each other."""
    monkeypatch.setattr(group_commit, "_LONGEST", 60.0)
    made = Database(f"sqlite:///{tmp_path}/a.db")
    with made.writing() as connection:
        connection.execute(text("CREATE TABLE numbers (n INTEGER UNIQUE)"))
    yield made
    made.close()


def _add(base: Database, number: int) -> None:
    with base.writing() as connection:
        connection.execute(text("INSERT INTO numbers VALUES (:n)"), {"n": number})


def _numbers(base: Database) -> list[int]:
    with base.reading() as connection:
        return list(connection.execute(text("SELECT n FROM numbers ORDER BY n")).scalars())


class _Held:
    """Changes that wait while this one is being made, and what became of each."""

    def __init__(self, base: Database, numbers: range) -> None:
        self._base = base
        self._threads = [threading.Thread(target=self._try, args=(n,)) for n in numbers]
        self.failed: dict[int, Exception] = {}

    def _try(self, number: int) -> None:
        try:
            _add(self._base, number)
        except Exception as error:
            self.failed[number] = error

    def start(self) -> None:
        """Let all of them wait for their turn."""
        together: Any = self._base._together
        for thread in self._threads:
            thread.start()
        until(lambda: together._waiting == len(self._threads), 10)

    def join(self) -> None:
        """Wait until all have ended."""
        for thread in self._threads:
            thread.join(timeout=20)
            assert not thread.is_alive()


def _counted(base: Database) -> list[int]:
    """Return a list that gets an element with every commit."""
    found: list[int] = []
    event.listen(base.engine, "commit", lambda _: found.append(1))
    return found


def test_changes_that_wait_are_committed_together(base: Database) -> None:
    commits, held = _counted(base), _Held(base, range(1, 9))
    with base.writing() as connection:
        held.start()
        connection.execute(text("INSERT INTO numbers VALUES (0)"))
    held.join()
    assert (_numbers(base), held.failed, len(commits)) == (list(range(9)), {}, 1)


def test_a_change_that_fails_takes_no_other_with_it(base: Database) -> None:
    _add(base, 3)
    held = _Held(base, range(1, 6))
    with base.writing() as connection:
        held.start()
        connection.execute(text("INSERT INTO numbers VALUES (0)"))
    held.join()
    assert list(held.failed) == [3]
    assert _numbers(base) == list(range(6))


def _change(base: Database, held: _Held, error: bool = False) -> None:
    """Add 0 while others wait."""
    with base.writing() as connection:
        held.start()
        connection.execute(text("INSERT INTO numbers VALUES (0)"))
        if error:
            raise ZeroDivisionError


def test_a_first_change_that_fails_leaves_the_others(base: Database) -> None:
    held = _Held(base, range(1, 4))
    with pytest.raises(ZeroDivisionError):
        _change(base, held, error=True)
    held.join()
    assert (_numbers(base), held.failed) == ([1, 2, 3], {})


def test_what_a_refused_change_has_seen_is_committed_before_it_is_refused(base: Database) -> None:
    """Otherwise a repeated request would not find what the first one is about to commit."""
    held = _Held(base, range(1, 4))
    with pytest.raises(ZeroDivisionError):
        _change(base, held, error=True)
    assert _numbers(base) == [1, 2, 3]
    held.join()


def test_nothing_is_acknowledged_that_sqlite_has_rolled_back(base: Database) -> None:
    """When a disk is full, SQLite may end the whole transaction; a commit then does nothing."""
    held = _Held(base, range(1, 4))

    def roll_back() -> None:
        with suppress(SQLAlchemyError, Busy), base.writing() as connection:
            held.start()
            connection.execute(text("INSERT INTO numbers VALUES (9)"))
            driver = connection.connection.dbapi_connection
            assert isinstance(driver, sqlite3.Connection)
            driver.execute("ROLLBACK")

    later = threading.Thread(target=roll_back)
    with pytest.raises(Busy):
        _with_follower(base, later)
    later.join()
    held.join()
    assert (_numbers(base), held.failed) == ([1, 2, 3], {})


def _with_follower(base: Database, later: threading.Thread) -> None:
    """Add 0, and leave the commit to another thread."""
    together: Any = base._together
    with base.writing() as connection:
        later.start()
        until(lambda: together._waiting == 1, 10)
        connection.execute(text("INSERT INTO numbers VALUES (0)"))


def test_a_commit_that_fails_fails_for_all(base: Database) -> None:
    held = _Held(base, range(1, 4))
    failing = True

    def fail(_: object) -> None:
        if failing:
            raise sqlite3.OperationalError("disk I/O error")

    event.listen(base.engine, "commit", fail)
    with pytest.raises(sqlite3.OperationalError):
        _change(base, held)
    held.join()
    failing = False
    assert sorted(held.failed) == [1, 2, 3]
    assert _numbers(base) == []
    _add(base, 7)
    assert _numbers(base) == [7]


def test_no_change_waits_for_others_for_long(
    base: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "_LONGEST", 0.0)
    commits, held = _counted(base), _Held(base, range(1, 5))
    with base.writing() as connection:
        held.start()
        connection.execute(text("INSERT INTO numbers VALUES (0)"))
    held.join()
    assert (_numbers(base), len(commits)) == (list(range(5)), 5)


def test_a_lock_of_another_process_is_waited_for(base: Database, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    adding = threading.Thread(target=_add, args=(base, 1))
    adding.start()
    adding.join(timeout=0.3)
    assert adding.is_alive()
    other.execute("ROLLBACK")
    adding.join(timeout=10)
    assert _numbers(base) == [1]
    other.close()
