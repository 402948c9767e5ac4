"""Private what-if lines: start at any position, discard, or keep as the main line."""

from __future__ import annotations

import secrets

import msgspec
from sqlalchemy import Connection, select, update

from carril.service.account_store import check_may_act
from carril.service.errors import Forbidden, TooMany
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.playing import bot_of
from carril.service.storage import check_storage
from carril.service.store.journal import (
    Draft,
    Line,
    append,
    begin_line,
    copy_standing,
    new_line,
    now,
    record_at,
    remove_line,
)
from carril.service.store.tables import lines
from carril.service.store.undone import set_aside, shared_until
from carril.service.values import ForkInfo, GameInfo, User

MOST_OPEN = 50
"""What-if lines of one game that a user may have open."""


@operation
def fork(store: GameStore, game: str, user: User, at: int) -> str:
    """Start a what-if line at a position and return its id."""
    with store.writing(user=user.id, game=game) as reader:
        check_may_act(reader.connection, user)
        if len(forks(reader.connection, game, user)) >= MOST_OPEN:
            raise TooMany(
                f"You already have {MOST_OPEN} what-if lines of this game. Discard some first.",
                {"most": MOST_OPEN},
            )
        check_storage(reader.connection, user, at // 2 + 1, store.most_positions)
        base = reader.line(game)
        state = reader.position(base, at).state
        row = record_at(reader.connection, game, at)
        assert row is not None
        made = new_line(secrets.token_urlsafe(12), game, "fork", user.id, at, now())
        draft = Draft("fork", at, state, bytes(row.snapshot), user=user.id, events=row.events)
        begin_line(reader.connection, made, [draft], tip=row.hash)
        copy_standing(reader.connection, game, made.id, at)
    return made.id


def forks(connection: Connection, game: str, user: User) -> list[ForkInfo]:
    """Return the open what-if lines of a user in a game."""
    wanted = (lines.c[name] for name in ("id", "game", "base", "head", "version", "created"))
    query = (
        select(*wanted)
        .where(lines.c.game == game, lines.c.kind == "fork")
        .where(lines.c.owner == user.id, lines.c.status == "open")
        .order_by(lines.c.created)
    )
    return [ForkInfo(*row) for row in connection.execute(query)]


@operation
def discard(store: GameStore, game: str, user: User, fork_id: str) -> None:
    """Delete a what-if line."""
    with store.writing(fork=fork_id) as reader:
        remove_line(reader.connection, reader.line(game, fork_id, user).id)


@operation
def keep(store: GameStore, game: str, user: User, fork_id: str) -> Line:
    """Make a what-if line the main line of the game."""
    with store.writing(game=game, fork=fork_id) as reader:
        made = reader.line(game, fork_id, user)
        info = reader.info(game)
        if not info.is_own(user):
            raise Forbidden("You can keep a what-if line only if nobody else plays at the table.")
        line = reader.line(game)
        base = shared_until(reader.connection, game, made.id)
        draft = _keep_draft(reader, made, info, user, {"base": base, "from": line.head})
        payload = {"base": base, "from": line.head, "user": user.name}
        replaced = line.head > base
        line = append(reader.connection, line, draft, payload)
        if replaced:
            set_aside(reader.connection, game, line.version, base)
        copy_standing(reader.connection, made.id, game, made.head)
        kept = update(lines).where(lines.c.id == made.id).values(status="kept")
        reader.connection.execute(kept)
    store.changed(line)
    return line


def _keep_draft(
    reader: Reader, made: Line, info: GameInfo, user: User, about: dict[str, int]
) -> Draft:
    row = record_at(reader.connection, made.id, made.head)
    assert row is not None
    state = reader.position(made).state
    return Draft(
        "keep",
        made.head,
        state,
        bytes(row.snapshot),
        user=user.id,
        action=msgspec.json.encode({"fork": made.id, "tip": made.tip} | about).decode(),
        events=row.events,
        bot=bot_of(info, state),
    )
