"""The outbox: messages to people, written in the transaction that causes them and sent afterwards.

A message is *waiting* until it is due, *sending* while a process tries to send it, and then *sent*,
*failed* (given up) or *dropped* (no longer of use). Each has a key, and a second message with the
same key is not stored, so whatever causes a message can be repeated.

An attempt is recorded before it is made. If the process dies between sending and recording the
success, nobody can know whether the message left; it is then sent again with the same key, by
which the receiver recognises it: the `Message-ID` of a mail, the `Idempotency-Key` of a web-hook,
the `Topic` of a push message.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import (
    Column,
    Connection,
    Index,
    Integer,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from carril.service.clock import now
from carril.service.store.tables import Moment, metadata

Channel = Literal["turn", "mail", "push", "hook"]
"""How a message is sent; "turn" is expanded into messages of the other kinds."""

MOST_ATTEMPTS = 8
STALE = 60.0
"""Seconds after which an attempt is taken for that of a process that has died."""
_BACK_OFF = (30.0, 120.0, 600.0, 1800.0, 3600.0, 4 * 3600.0, 12 * 3600.0)
"""Seconds to wait after each failed attempt."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("key", String(160), nullable=False, unique=True),
    Column("channel", String(8), nullable=False),
    Column("user", String(32), index=True),
    Column("game", String(32), index=True),
    Column("version", Integer, nullable=False, default=0, server_default="0"),
    Column("target", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("status", String(8), nullable=False),
    Column("due", Moment, nullable=False),
    Column("attempts", Integer, nullable=False, default=0, server_default="0"),
    Column("attempted", Moment),
    Column("error", Text, nullable=False, default="", server_default=""),
    Column("created", Moment, nullable=False),
    Index("outbox_due", "status", "due"),
    info={"transient": True},  # not backed up: what was waiting then has been sent since
)


class Outgoing(Struct, frozen=True):
    """A message to be sent."""

    key: str
    channel: Channel
    target: str = ""
    """A mail address, or the id of a web-hook or of a push subscription."""
    content: dict[str, Any] = {}
    user: str = ""
    """The id of the user whom it concerns, or ""."""
    game: str = ""
    version: int = 0
    """The version of the game with which a turn began; 0 for messages about other things."""
    due: datetime | None = None
    """When to send it; None for at once."""


class Stored(Struct, frozen=True):
    """A message of the outbox."""

    id: int
    key: str
    channel: Channel
    target: str
    content: dict[str, Any]
    user: str
    game: str
    version: int
    attempts: int
    created: datetime


def put(connection: Connection, message: Outgoing) -> bool:
    """Store a message to be sent after the commit; return False if its key is known already."""
    insert: Any = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    moment = now()
    values = {
        "key": message.key,
        "channel": message.channel,
        "user": message.user or None,
        "game": message.game or None,
        "version": message.version,
        "target": message.target,
        "content": msgspec.json.encode(message.content).decode(),
        "status": "waiting",
        "due": message.due or moment,
        "created": moment,
    }
    statement = insert(outbox).values(**values).on_conflict_do_nothing(index_elements=["key"])
    return bool(connection.execute(statement.returning(outbox.c.id)).one_or_none())


_DUE = (
    select(outbox.c.id)
    .where(
        or_(
            (outbox.c.status == "waiting") & (outbox.c.due <= bindparam("now")),
            (outbox.c.status == "sending") & (outbox.c.attempted < bindparam("lost")),
        )
    )
    .order_by(outbox.c.due, outbox.c.id)
    .limit(bindparam("most", type_=Integer))
)


def due_messages(connection: Connection, most: int) -> list[int]:
    """Return the ids of messages to be sent now, the oldest first."""
    moment = now()
    values = {"now": moment, "lost": moment - timedelta(seconds=STALE), "most": most}
    return list(connection.execute(_DUE, values).scalars())


def begin_attempt(connection: Connection, message: int) -> Stored | None:
    """Record that a message is about to be sent; None if another process was quicker."""
    moment = now()
    lost = moment - timedelta(seconds=STALE)
    free = (outbox.c.status == "waiting") | (
        (outbox.c.status == "sending") & (outbox.c.attempted < lost)
    )
    taken = (
        update(outbox)
        .where(outbox.c.id == message, free)
        .values(status="sending", attempted=moment, attempts=outbox.c.attempts + 1)
        .returning(outbox)
    )
    row = connection.execute(taken).one_or_none()
    return _stored(row) if row else None


def end_attempt(connection: Connection, message: int, status: str, error: str = "") -> None:
    """Record how an attempt ended: "sent", "failed" or "dropped"."""
    chosen = update(outbox).where(outbox.c.id == message, outbox.c.status == "sending")
    connection.execute(chosen.values(status=status, error=error[:500]))


def postpone(
    connection: Connection, message: Stored, error: str, due: datetime | None = None
) -> None:
    """Try again later, after a time that grows with the attempts, or give up after too many."""
    if due is None and message.attempts >= MOST_ATTEMPTS:
        end_attempt(connection, message.id, "failed", error)
        return
    wait = _BACK_OFF[min(message.attempts, len(_BACK_OFF)) - 1]
    values: dict[str, Any] = {"status": "waiting", "error": error[:500]}
    values["due"] = due or now() + timedelta(seconds=wait)
    if due is not None:  # it was not due yet: that is not a failure
        values["attempts"] = outbox.c.attempts - 1
    chosen = update(outbox).where(outbox.c.id == message.id, outbox.c.status == "sending")
    connection.execute(chosen.values(**values))


def latest_turn(connection: Connection, game: str) -> int:
    """Return the version with which the last turn of a game began."""
    query = select(func.max(outbox.c.version)).where(
        outbox.c.game == game, outbox.c.channel == "turn"
    )
    return int(connection.execute(query).scalar() or 0)


def forget_old(connection: Connection, days: int = 30) -> None:
    """Delete messages that were dealt with long ago; the newest turn of a game is kept."""
    other = outbox.alias()
    newer = select(other.c.id).where(
        other.c.game == outbox.c.game, other.c.channel == "turn", other.c.id > outbox.c.id
    )
    old = delete(outbox).where(
        outbox.c.status.not_in(("waiting", "sending")),
        outbox.c.created < now() - timedelta(days=days),
        (outbox.c.channel != "turn") | newer.exists(),
    )
    connection.execute(old)


def _stored(row: Any) -> Stored:
    return Stored(
        id=row.id,
        key=row.key,
        channel=row.channel,
        target=row.target,
        content=msgspec.json.decode(row.content),
        user=row.user or "",
        game=row.game or "",
        version=row.version,
        attempts=row.attempts,
        created=row.created,
    )
