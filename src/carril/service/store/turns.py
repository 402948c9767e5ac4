"""Whose turn it is: a message to that person, stored in the transaction that began the turn."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from carril.service.store.outbox import Outgoing, put
from carril.service.store.tables import seats

_HOLDERS = select(seats.c.player, seats.c.user, seats.c.bot).where(
    seats.c.game == bindparam("wanted")
)


def begin_turn(
    connection: Connection, game: str, before: str | None, acting: str | None, version: int
) -> None:
    """Store the message that it is somebody's turn, once for each turn.

    A turn begins when a person acts after somebody else; it goes on while they, or another seat of
    theirs, act again.
    """
    if acting is None or acting == before:
        return
    rows = connection.execute(_HOLDERS, {"wanted": game})
    holders = {row.player: None if row.bot else row.user for row in rows}
    user = holders.get(acting)
    if user and user != holders.get(before or ""):
        key = f"turn:{game}:{version}"
        put(connection, Outgoing(key, "turn", acting, user=user, game=game, version=version))
