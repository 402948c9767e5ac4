"""What one person keeps of a game: a private note, and how far they have read the chat."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select, update

from carril.service.account_store import check_exists
from carril.service.errors import BadRequest
from carril.service.fields import is_storable
from carril.service.game_store import GameStore
from carril.service.operations import operation
from carril.service.store.tables import notes, remarks
from carril.service.values import User

LONGEST = 10_000
"""Characters in a note at most."""


def note_of(connection: Connection, game: str, user: User | None) -> str:
    """Return the private note of a user about a game."""
    if user is None:
        return ""
    query = select(notes.c.text).where(notes.c.game == game, notes.c.user == user.id)
    return connection.execute(query).scalar_one_or_none() or ""


def read_up_to(connection: Connection, game: str, user: User | None) -> int:
    """Return the number of the last remark that a user has read."""
    if user is None:
        return 0
    query = select(notes.c.read).where(notes.c.game == game, notes.c.user == user.id)
    return connection.execute(query).scalar_one_or_none() or 0


@operation
def write_note(store: GameStore, game: str, user: User, text: str) -> str:
    """Replace the private note of a user about a game; nobody else ever sees it."""
    text = text.strip().replace("\r\n", "\n")
    if len(text) > LONGEST or not is_storable(text):
        raise BadRequest(f"A note must have at most {LONGEST} characters.", {"most": LONGEST})
    with store.writing(user=user.id, game=game) as reader:
        reader.line(game)
        check_exists(reader.connection, user)
        _keep(reader.connection, game, user, {"text": text})
    return text


@operation
def mark_read(store: GameStore, game: str, user: User, remark: int) -> int:
    """Remember that a user has read the chat up to a remark; return how far they have read."""
    with store.writing(user=user.id, game=game) as reader:
        reader.line(game)
        check_exists(reader.connection, user)
        last = select(func.max(remarks.c.number)).where(remarks.c.game == game)
        read = min(remark, reader.connection.execute(last).scalar() or 0)
        read = max(read, read_up_to(reader.connection, game, user))
        _keep(reader.connection, game, user, {"read": read})
    return read


def _keep(connection: Connection, game: str, user: User, values: dict[str, object]) -> None:
    mine = update(notes).where(notes.c.game == game, notes.c.user == user.id)
    if connection.execute(mine.values(**values)).rowcount == 0:
        row = {"game": game, "user": user.id, "text": "", "read": 0} | values
        connection.execute(insert(notes).values(**row))


def unread(connection: Connection, wanted: Sequence[str], user: User | None) -> dict[str, int]:
    """Return the number of remarks of others that a user has not read, for games with any."""
    if user is None or not wanted:
        return {}
    read = (
        select(notes.c.read)
        .where(notes.c.game == remarks.c.game, notes.c.user == user.id)
        .scalar_subquery()
    )
    query = (
        select(remarks.c.game, func.count())
        .where(remarks.c.game.in_(list(wanted)), remarks.c.user != user.id)
        .where(remarks.c.number > func.coalesce(read, 0))
        .group_by(remarks.c.game)
    )
    return {row[0]: row[1] for row in connection.execute(query)}
