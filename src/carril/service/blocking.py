"""Blocks: users whom the administrator lets read, but not change anything."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct
from sqlalchemy import Connection, bindparam, delete, insert, or_, select

from carril.service.errors import Blocked, NotFound
from carril.service.game_store import GameStore
from carril.service.operations import operation
from carril.service.store.journal import now
from carril.service.store.tables import blocks, users
from carril.service.values import User

_IN_FORCE = or_(blocks.c.until.is_(None), blocks.c.until > bindparam("now"))
_BLOCK = select(blocks).where(blocks.c.user == bindparam("wanted"), _IN_FORCE)
_BLOCKS = (
    select(blocks, users.c.name)
    .join(users, users.c.id == blocks.c.user)
    .where(_IN_FORCE)
    .order_by(blocks.c.created)
)


class Block(Struct, frozen=True):
    """A block, which is in force until a moment or, without one, until it is lifted."""

    id: str
    """The id of the user."""
    reason: str
    created: datetime
    until: datetime | None
    name: str = ""
    """The name of the user, in lists."""

    def error(self) -> Blocked:
        """Return the answer to a change by this user."""
        until = f" until {self.until:%Y-%m-%d %H:%M} UTC" if self.until else ""
        why = f": {self.reason}" if self.reason else "."
        facts = {"reason": self.reason, "until": self.until and self.until.isoformat()}
        return Blocked(f"The administrator has blocked this account{until}{why}", facts)


def block_of(connection: Connection, user_id: str) -> Block | None:
    """Return the block of a user that is in force, or None."""
    row = connection.execute(_BLOCK, {"wanted": user_id, "now": now()}).one_or_none()
    return Block(*row) if row else None


def check_not_blocked(connection: Connection, user_id: str) -> None:
    """Raise Blocked if a user is blocked."""
    if found := block_of(connection, user_id):
        raise found.error()


def list_blocks(connection: Connection) -> list[Block]:
    """Return all blocks that are in force, with the names of the users."""
    return [Block(*row) for row in connection.execute(_BLOCKS, {"now": now()})]


@operation
def block_user(store: GameStore, user: User, reason: str, days: int | None) -> None:
    """Block a user for some days, or until the block is lifted; it replaces an earlier block."""
    moment = now()
    until = None if days is None else moment + timedelta(days=days)
    with store.writing(user=user.id) as reader:
        connection = reader.connection
        connection.execute(delete(blocks).where(blocks.c.user == user.id))
        values = {"user": user.id, "reason": reason, "created": moment, "until": until}
        connection.execute(insert(blocks).values(**values))


@operation
def unblock_user(store: GameStore, user: User) -> None:
    """Lift the block of a user; raise NotFound if there is none."""
    with store.writing(user=user.id) as reader:
        gone = reader.connection.execute(delete(blocks).where(blocks.c.user == user.id))
        if not gone.rowcount:
            raise NotFound(f"{user.name} is not blocked.")
