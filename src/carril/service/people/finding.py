"""Lists of tables to join or to watch, and searching for tables and people."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select

from carril.service.store.infos import read_infos
from carril.service.store.tables import games, lines, seats, users
from carril.service.values import GameInfo, User

PAGE = 20
"""Tables or people on a page."""

Status = Literal["open", "running", "finished"]
"""A table with an open seat, one that is played, or one whose game is over."""


class Query(Struct, frozen=True):
    """What to look for: the status of tables, and what narrows them down."""

    status: Status = "open"
    title: str = ""
    players: int = 0
    """The number of players; 0 for any."""
    text: str = ""
    """Part of the name of a table, or of a player at it."""
    page: int = 1


class Found(Struct, frozen=True):
    """A page of tables, the latest first, and whether there are more."""

    tables: tuple[GameInfo, ...]
    page: int
    more: bool


class Person(Struct, frozen=True):
    """An account that was found."""

    id: str
    name: str


def find_tables(connection: Connection, user: User | None, query: Query) -> Found:
    """Return the public tables, and those of the user, that fit a query."""
    chosen: Select[Any] = select(games.c.id).join(lines, lines.c.id == games.c.id)
    chosen = chosen.where(games.c.read_only.is_(False), _visible(user), _has_status(query.status))
    if query.title:
        chosen = chosen.where(games.c.title == query.title)
    if query.players:
        count = select(func.count()).where(seats.c.game == games.c.id).scalar_subquery()
        chosen = chosen.where(count == query.players)
    if query.text.strip():
        chosen = chosen.where(_named(query.text))
    first = (query.page - 1) * PAGE
    chosen = chosen.order_by(lines.c.updated.desc(), games.c.id).offset(first).limit(PAGE + 1)
    ids: list[str] = list(connection.execute(chosen).scalars())
    infos = read_infos(connection, ids[:PAGE], user)
    shown = tuple(infos[one] for one in ids[:PAGE] if one in infos)
    return Found(shown, query.page, len(ids) > PAGE)


def _visible(user: User | None) -> ColumnElement[bool]:
    """Select public tables, and those that a user owns or plays at."""
    public = games.c.visibility == "public"
    if user is None:
        return public
    mine = exists().where(seats.c.game == games.c.id, seats.c.user == user.id)
    return or_(public, games.c.owner == user.id, mine)


def _has_status(status: Status) -> ColumnElement[bool]:
    if status == "finished":
        return lines.c.ended != ""
    free = exists().where(
        seats.c.game == games.c.id, seats.c.kind == "person", seats.c.user.is_(None)
    )
    return and_(lines.c.ended == "", free if status == "open" else ~free)


def _like(column: Any, text: str) -> ColumnElement[bool]:
    """Select rows that contain a text, whatever its case."""
    found: ColumnElement[bool] = func.lower(column).contains(text.strip().lower(), autoescape=True)
    return found


def _named(text: str) -> ColumnElement[bool]:
    """Select tables by a part of their name, of a player's, or of a user's at the table."""
    seated = (
        select(seats.c.game)
        .outerjoin(users, users.c.id == seats.c.user)
        .where(seats.c.game == games.c.id)
        .where(or_(_like(seats.c.player, text), _like(users.c.name, text)))
        .exists()
    )
    return or_(_like(games.c.name, text), seated)


def find_people(connection: Connection, text: str, page: int = 1) -> tuple[Person, ...]:
    """Return the accounts whose name contains a text, by name."""
    if not text.strip():
        return ()
    query = (
        select(users.c.id, users.c.name)
        .where(users.c.guest.is_(False), users.c.deleted.is_(False), _like(users.c.name, text))
        .order_by(func.lower(users.c.name), users.c.id)
        .offset((page - 1) * PAGE)
        .limit(PAGE)
    )
    return tuple(Person(*row) for row in connection.execute(query))
