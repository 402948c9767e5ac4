"""Locks on rows, and the order in which write transactions take them.

Every write transaction first locks the rows that it depends on, and reads them only then:

1. the user (`users`), if it changes their account, sessions, tokens or use of storage,
2. games (the rows of their main lines in `lines`) in the order of their ids, if it changes a main
   line, seats, undo requests, programs or chat, or copies from them,
3. what-if lines (their rows in `lines`) in the order of their ids,
4. the ratings, which have no row to lock: an advisory lock on PostgreSQL.

Nothing else is locked: all other rows belong to one of these. Since all transactions use one
order, they cannot deadlock. PostgreSQL locks rows with `FOR NO KEY UPDATE`, which does not conflict
with foreign keys to them; SQLite locks the whole database when a write transaction begins.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, Select, Table, bindparam, select, text

from carril.service.store.tables import lines, users


def _lock(table: Table) -> Select[tuple[str]]:
    chosen = select(table.c.id).where(table.c.id == bindparam("wanted"))
    return chosen.with_for_update(key_share=True)


_RATINGS = 0x18CA12
"""The advisory lock of the ratings."""
_USER, _LINE = _lock(users), _lock(lines)


def lock_rows(connection: Connection, user: str = "", game: str = "", fork: str = "") -> None:
    """Lock rows until the transaction ends; a row that does not exist is not an error here."""
    for statement, wanted in ((_USER, user), (_LINE, game), (_LINE, fork)):
        if wanted:
            connection.execute(statement, {"wanted": wanted})


def lock_lines(connection: Connection, wanted: Iterable[str]) -> None:
    """Lock several games, or several what-if lines, in the order of their ids."""
    for line in sorted(wanted):
        connection.execute(_LINE, {"wanted": line})


def lock_ratings(connection: Connection) -> None:
    """Wait until no other process computes ratings."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _RATINGS})
