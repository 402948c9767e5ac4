"""What an administrator sees and changes: all users, and all tables."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, or_, select, update

from carril.service.accounts import Accounts
from carril.service.errors import BadRequest, Forbidden, NotFound
from carril.service.game_store import GameStore, Reader
from carril.service.names import skeleton
from carril.service.operations import operation
from carril.service.playing import bot_of
from carril.service.seats.leaving import remove_game
from carril.service.store.journal import Line, publish
from carril.service.store.tables import blocks, games, lines, seats, sessions, users
from carril.service.values import User

CLOSED = "closed"
"""The status of the main line of a closed table."""


class UserInfo(Struct, frozen=True):
    """A user as an administrator sees them."""

    id: str
    name: str
    kind: str
    """ "account", "guest" or "deleted"."""
    created: datetime
    games: int
    """How many games they created or imported."""
    seats: int
    sessions: int
    blocked: bool


class TableInfo(Struct, frozen=True):
    """A table as an administrator sees it."""

    id: str
    name: str
    title: str
    owner: str
    """The name of the user who created or imported it."""
    players: tuple[str, ...]
    state: str
    """ "open", "closed", "imported" or "finished"."""
    actions: int
    updated: datetime


# --- users -----------------------------------------------------------------------------------


def list_users(connection: Connection, search: str = "") -> list[UserInfo]:
    """Return all users whose name or id contains a text, oldest first."""

    counts = [
        select(func.count()).where(column == users.c.id).scalar_subquery()
        for column in (games.c.owner, seats.c.user, sessions.c.user, blocks.c.user)
    ]
    wanted = or_(
        func.lower(users.c.name).contains(search.lower(), autoescape=True),
        users.c.id == search,
    )
    query = select(users, *counts).where(wanted).order_by(users.c.created, users.c.id)
    found = []
    for row in connection.execute(query):
        kind = "deleted" if row.deleted else "guest" if row.guest else "account"
        made, seated, opened, blocked = row[-4:]
        found.append(
            UserInfo(row.id, row.name, kind, row.created, made, seated, opened, bool(blocked))
        )
    return found


def find_user(connection: Connection, wanted: str) -> User:
    """Return the user with an id, the account with a name, or else the only guest with a name."""
    for chosen in (users.c.id == wanted, users.c.folded == skeleton(wanted)):
        if row := connection.execute(select(users).where(chosen)).one_or_none():
            return User(row.id, row.name, row.guest)
    named = select(users).where(users.c.name == wanted, users.c.deleted.is_(False))
    rows = connection.execute(named).all()
    if len(rows) > 1:
        ids = ", ".join(row.id for row in rows)
        raise BadRequest(f"There are several users called {wanted!r}. Give an id: {ids}")
    if not rows:
        raise NotFound(f"There is no user {wanted!r}.")
    return User(rows[0].id, rows[0].name, rows[0].guest)


def reset_password(accounts: Accounts, user: User) -> str:
    """Give an account a new random password and return it; this ends all sessions and tokens."""
    if user.guest:
        raise Forbidden("Guests have no password.")
    password = secrets.token_urlsafe(12)
    accounts.set_password(user, password)
    return password


# --- tables ----------------------------------------------------------------------------------


_TABLES = (
    select(
        *(games.c[name] for name in ("id", "name", "title", "read_only")),
        *(lines.c[name] for name in ("status", "ended", "head", "updated")),
        users.c.name.label("owner"),
    )
    .join(lines, lines.c.id == games.c.id)
    .join(users, users.c.id == games.c.owner)
    .order_by(lines.c.updated.desc(), games.c.id)
)


def list_tables(connection: Connection, user: User | None = None) -> list[TableInfo]:
    """Return all tables, or those of a user, the latest first."""
    query = _TABLES
    if user:
        played = select(seats.c.game).where(seats.c.user == user.id)
        query = query.where(or_(games.c.owner == user.id, games.c.id.in_(played)))
    players: dict[str, tuple[str, ...]] = {}
    for seat in connection.execute(select(seats).order_by(seats.c.number)):
        players[seat.game] = (*players.get(seat.game, ()), seat.player)
    return [
        TableInfo(
            id=row.id,
            name=row.name,
            title=row.title,
            owner=row.owner,
            players=players.get(row.id, ()),
            state=_state(row),
            actions=row.head,
            updated=row.updated,
        )
        for row in connection.execute(query)
    ]


def _state(row: Any) -> str:
    if row.ended:
        return "finished"
    if row.status == CLOSED:
        return CLOSED
    return "imported" if row.read_only else "open"


@operation
def close_game(store: GameStore, game: str) -> None:
    """Close a table: nobody, and no bot, can act any more; everybody can still look at it."""
    with store.writing(game=game) as reader:
        line = reader.line(game)
        if reader.info(game).read_only:
            raise Forbidden("This game cannot be continued anyway.")
        _set_status(reader, line, CLOSED, "")
    store.changed(msgspec.structs.replace(line, bot=""))


@operation
def reopen_game(store: GameStore, game: str) -> None:
    """Open a closed table again."""
    with store.writing(game=game) as reader:
        line = reader.line(game)
        if line.status != CLOSED:
            raise Forbidden("This table is not closed.")
        bot = bot_of(reader.info(game), reader.position(line).state)
        _set_status(reader, line, "open", bot)
    store.changed(msgspec.structs.replace(line, bot=bot))


def _set_status(reader: Reader, line: Line, status: str, bot: str) -> None:
    chosen = update(lines).where(lines.c.id == line.id)
    reader.connection.execute(chosen.values(status=status, bot=bot))
    chosen = update(games).where(games.c.id == line.id)
    reader.connection.execute(chosen.values(read_only=status == CLOSED))
    publish(reader.connection, line.id, "status", {"status": status})


@operation
def delete_table(store: GameStore, game: str) -> None:
    """Delete a game with everything that belongs to it, whoever plays at the table."""
    with store.writing(game=game) as reader:
        reader.line(game)
        remove_game(reader.connection, game)
