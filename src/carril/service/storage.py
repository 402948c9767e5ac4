"""How much a user stores, and may store."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from carril.service.errors import StorageFull
from carril.service.store.tables import lines
from carril.service.values import User


def stored_positions(connection: Connection, user: User) -> int:
    """Return how many records and index entries the games and what-if lines of a user take."""
    rows = func.coalesce(func.sum(lines.c.version + lines.c.head + 2), 0)
    counted = select(rows).where(lines.c.owner == user.id)
    return int(connection.execute(counted).scalar_one()) // 2


def check_storage(connection: Connection, user: User, added: int, most: int) -> None:
    """Raise StorageFull if a user would store more than they may; the user must be locked."""
    if stored_positions(connection, user) + added > most:
        raise StorageFull(
            "You have stored as much as you may. Delete games or what-if lines first.",
            {"most": most},
        )
