"""Undone actions: set aside in series, each of which can be put back.

An undo, a redo or a kept what-if line takes actions back. They are set aside as a *series*, which
is identified by the version of that record. A series fits while the position before its first
action is still in force, whatever was played after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    Connection,
    Integer,
    Row,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
)

from carril.service.store.tables import IS_CHANGE, records, standing, undone, users

_CHANGE = ("version", "kind", "number", "user", "action", "moment")
_FITTING = (
    select(undone.c.version, undone.c.number)
    .join(
        standing,
        and_(
            standing.c.line == undone.c.line,
            standing.c.number == undone.c.number,
            standing.c.record == undone.c.record,
        ),
    )
    .where(undone.c.line == bindparam("wanted"), undone.c.base.is_(True))
    .order_by(undone.c.version.desc())
)
_CHANGES = (
    select(*(records.c[name] for name in _CHANGE), users.c.name)
    .outerjoin(users, users.c.id == records.c.user)
    .where(records.c.line == bindparam("wanted"), IS_CHANGE, records.c.action != "")
    .order_by(records.c.version.desc())
    .limit(bindparam("most", type_=Integer))
)


def set_aside(connection: Connection, line: str, version: int, base: int) -> None:
    """Take the actions after a position out of force and keep them as a series."""
    chosen = select(
        literal(line),
        literal(version),
        standing.c.number,
        standing.c.record,
        standing.c.number == base,
    ).where(standing.c.line == line, standing.c.number >= base)
    columns = ["line", "version", "number", "record", "base"]
    connection.execute(insert(undone).from_select(columns, chosen))
    gone = delete(standing).where(standing.c.line == line, standing.c.number > base)
    connection.execute(gone)


def put_back(connection: Connection, line: str, series: int) -> int:
    """Put the actions of a series back in force and return the number of the last.

    Nothing may be in force after its base.
    """
    mine = and_(undone.c.line == line, undone.c.version == series)
    chosen = select(undone.c.line, undone.c.number, undone.c.record).where(
        mine, undone.c.base.is_(False)
    )
    connection.execute(insert(standing).from_select(["line", "number", "record"], chosen))
    last = connection.execute(select(func.max(undone.c.number)).where(mine)).scalar_one()
    connection.execute(delete(undone).where(mine))
    return int(last)


def fitting(connection: Connection, line: str) -> dict[int, int]:
    """Return the series that fit the line as it is, newest first, with the number of their base."""
    return {row.version: row.number for row in connection.execute(_FITTING, {"wanted": line})}


def shared_until(connection: Connection, one: str, other: str) -> int:
    """Return the last position that two lines of a game have in common."""
    here, there = standing.alias(), standing.alias()
    same = and_(here.c.number == there.c.number, here.c.record == there.c.record)
    query = select(func.max(here.c.number)).join(there, same)
    found = connection.execute(query.where(here.c.line == one, there.c.line == other)).scalar()
    return int(found or 0)


def acted_since(connection: Connection, line: str, base: int) -> bool:
    """Return whether a person has acted after a position, or only bots have."""
    query = (
        select(standing.c.number)
        .join(records, records.c.id == standing.c.record)
        .where(standing.c.line == line, standing.c.number > base, records.c.user != "")
        .limit(1)
    )
    return connection.execute(query).one_or_none() is not None


def changes(
    connection: Connection, line: str, most: int, only: Iterable[int] | None = None
) -> list[Row[Any]]:
    """Return the newest undos, redos and kept lines, newest first, with the users' names."""
    query = _CHANGES if only is None else _CHANGES.where(records.c.version.in_(list(only)))
    return list(connection.execute(query, {"wanted": line, "most": most}))
