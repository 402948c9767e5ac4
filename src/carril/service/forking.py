"""Private what-if lines: begun at any position, thrown away, or kept on a table of one's own."""

from __future__ import annotations

import secrets

import msgspec
from sqlalchemy import select, update

from carril.service.errors import Forbidden, NotFound, TooMany
from carril.service.game_store import Desk
from carril.service.playing import bot_of
from carril.service.store.journal import (
    Draft,
    Line,
    append,
    begin_line,
    copy_standing,
    new_line,
    now,
    record_at,
)
from carril.service.store.tables import lines
from carril.service.values import ForkInfo, User

MOST_OPEN = 50
"""So many what-if lines of one game a user may have open."""


def fork(desk: Desk, game: str, user: User, at: int) -> str:
    """Begin a line at a position and return its id."""
    if len(forks(desk, game, user)) >= MOST_OPEN:
        raise TooMany("throw some of your lines away first", {"most": MOST_OPEN})
    with desk.database.writing() as connection:
        base = desk.line(connection, game)
        row = record_at(connection, game, at) if at >= 0 else None
        if row is None:
            raise NotFound(f"there are {base.head} actions, not {at}", {"head": base.head})
        state = desk.position(connection, base, at).state
        made = new_line(secrets.token_urlsafe(12), game, "fork", user.id, at, now())
        draft = Draft("fork", at, state, bytes(row.snapshot), user=user.id, events=row.events)
        begin_line(connection, made, [draft], tip=row.hash)
        copy_standing(connection, game, made.id, at)
    return made.id


def forks(desk: Desk, game: str, user: User) -> list[ForkInfo]:
    """Return a user's open lines of a game."""
    wanted = (lines.c[name] for name in ("id", "game", "base", "head", "version", "created"))
    query = (
        select(*wanted)
        .where(lines.c.game == game, lines.c.kind == "fork")
        .where(lines.c.owner == user.id, lines.c.status == "open")
        .order_by(lines.c.created)
    )
    with desk.database.reading() as connection:
        return [ForkInfo(*row) for row in connection.execute(query)]


def discard(desk: Desk, game: str, user: User, fork_id: str) -> None:
    """Throw a line away: it is no longer shown. Its records stay in the store."""
    with desk.database.writing() as connection:
        line = desk.line(connection, game, fork_id, user)
        connection.execute(update(lines).where(lines.c.id == line.id).values(status="thrown"))


def keep(desk: Desk, game: str, user: User, fork_id: str) -> Line:
    """Make a line the game's own."""
    with desk.database.writing() as connection:
        made = desk.line(connection, game, fork_id, user)
        info = desk.info(connection, game)
        if not info.is_own(user):
            raise Forbidden("a line can be kept only on a table of one's own")
        line = desk.line(connection, game)
        row = record_at(connection, made.id, made.head)
        assert row is not None
        state = desk.position(connection, made).state
        what = msgspec.json.encode({"fork": made.id, "tip": made.tip}).decode()
        draft = Draft(
            "keep",
            made.head,
            state,
            bytes(row.snapshot),
            user=user.id,
            action=what,
            events=row.events,
            bot=bot_of(info, state),
        )
        line = append(connection, line, draft, {"base": made.base, "user": user.name})
        copy_standing(connection, made.id, game, made.head)
        connection.execute(update(lines).where(lines.c.id == made.id).values(status="kept"))
    desk.changed(line)
    return line
