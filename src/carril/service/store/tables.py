"""The tables of the store.

A *line* is the main line of a game or a fork of it. Its *records* are append-only: an action, an
undo, a redo, or a fork that was kept, each with the hash of the previous one. *standing* indexes
the records in force, *undone* those that were taken back and can be put back; both can be rebuilt
from the records. *messages* is the stream of events at a table. *requests* are proposals that the
people at a table vote on, *notes* what one person keeps of a game (a text, and how far they have
read the chat), *ratings* the rating of each person after each finished game, which can be computed
again from the games. *programs* are known only to the user who gave them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

metadata = MetaData()


class Moment(TypeDecorator[datetime]):
    """A time in UTC, on every database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Mark a time read from the database as UTC."""
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


def _key(name: str, **more: Any) -> Column[str]:
    return Column(name, String(32), **more)


users = Table(
    "users",
    metadata,
    _key("id", primary_key=True),
    Column("name", String(80), nullable=False),
    Column("folded", String(80), unique=True),
    Column("password", String(200)),
    Column("guest", Boolean, nullable=False, default=False),
    Column("deleted", Boolean, nullable=False, default=False, server_default=false()),
    Column("created", Moment, nullable=False),
    Column("email", String(254)),
    Column("hidden", Text, nullable=False, default="[]", server_default="[]"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("user", ForeignKey("users.id"), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
)

bearers = Table(
    "bearers",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("user", ForeignKey("users.id"), nullable=False),
    Column("label", String(80), nullable=False),
    Column("scope", String(10), nullable=False, default="play", server_default="play"),
    Column("created", Moment, nullable=False),
    Column("expires", Moment),
)

blocks = Table(
    "blocks",
    metadata,
    Column("user", ForeignKey("users.id"), primary_key=True),
    Column("reason", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("until", Moment),
)

games = Table(
    "games",
    metadata,
    _key("id", primary_key=True),
    Column("name", String(120), nullable=False),
    Column("title", String(20), nullable=False),
    Column("edition", String(20), nullable=False),
    Column("variants", Text, nullable=False),
    Column("conventions", String(40), nullable=False),
    Column("seed", String(40), nullable=False),
    Column("owner", ForeignKey("users.id"), nullable=False, index=True),
    Column("read_only", Boolean, nullable=False),
    Column("notes", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column(
        "visibility",
        String(10),
        nullable=False,
        default="unlisted",
        server_default="unlisted",
        index=True,
    ),
    Column("rated", Boolean, nullable=False, default=True, server_default=true()),
    _key("rematch"),
)

seats = Table(
    "seats",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("player", String(80), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("user", ForeignKey("users.id"), index=True),
    Column("bot", String(40), nullable=False, default=""),
    Column("invitation", String(64), unique=True),
)

lines = Table(
    "lines",
    metadata,
    _key("id", primary_key=True),
    Column("game", ForeignKey("games.id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("status", String(8), nullable=False),
    Column("owner", ForeignKey("users.id"), index=True),
    Column("base", Integer, nullable=False),
    Column("head", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("heard", Integer, nullable=False),
    Column("tip", String(64), nullable=False),
    Column("round", String(20), nullable=False),
    Column("acting", String(80)),
    Column("bot", String(40), nullable=False),
    Column("ended", String(40), nullable=False),
    Column("result", Text),
    Column("last", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("updated", Moment, nullable=False),
    Index("lines_waiting_for_bots", "bot", "ended"),
)

IS_CHANGE = text("kind IN ('undo', 'redo', 'keep')")
"""Selects the records that are not actions; the text must be that of the index."""

records = Table(
    "records",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("line", ForeignKey("lines.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("number", Integer, nullable=False),
    Column("by", String(80), nullable=False),
    Column("user", String(32), nullable=False),
    Column("key", String(80)),
    Column("action", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("snapshot", LargeBinary, nullable=False),
    Column("moment", String(40), nullable=False),
    Column("before", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("line", "version"),
    UniqueConstraint("line", "user", "key"),
    Index(
        "records_of_changes",
        "line",
        "version",
        sqlite_where=IS_CHANGE,
        postgresql_where=IS_CHANGE,
    ),
)

standing = Table(
    "standing",
    metadata,
    Column("line", ForeignKey("lines.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("record", ForeignKey("records.id"), nullable=False),
)

undone = Table(
    "undone",
    metadata,
    Column("line", ForeignKey("lines.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("record", ForeignKey("records.id"), nullable=False),
    Column("base", Boolean, nullable=False),
)

messages = Table(
    "messages",
    metadata,
    Column("line", ForeignKey("lines.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("told", Text, key="payload", nullable=False),
    Column("created", Moment, nullable=False),
)

remarks = Table(
    "remarks",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("user", ForeignKey("users.id"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("text", Text, nullable=False),
    Column("created", Moment, nullable=False),
)

requests = Table(
    "requests",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", ForeignKey("games.id"), nullable=False, index=True),
    Column("user", ForeignKey("users.id"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("to", Integer, nullable=False),
    Column("series", Integer),
    Column("version", Integer, nullable=False),
    Column("status", String(10), nullable=False),
    Column("waiting", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("kind", String(10), nullable=False, default="undo", server_default="undo"),
    Column("about", Text, nullable=False, default="{}", server_default="{}"),
)

mail_links = Table(
    "mail_links",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("user", ForeignKey("users.id"), nullable=False, index=True),
    Column("purpose", String(10), nullable=False),
    Column("email", String(254), nullable=False),
    Column("expires", Moment, nullable=False),
)

notes = Table(
    "notes",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("user", ForeignKey("users.id"), primary_key=True),
    Column("text", Text, nullable=False, default=""),
    Column("read", Integer, nullable=False, default=0, server_default="0"),
)

ratings = Table(
    "ratings",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("user", ForeignKey("users.id"), primary_key=True, index=True),
    Column("title", String(20), nullable=False),
    Column("players", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("mu", Float(53), nullable=False),
    Column("sigma", Float(53), nullable=False),
    Column("finished", Moment, nullable=False),
)

programs = Table(
    "programs",
    metadata,
    _key("id", primary_key=True),
    Column("game", ForeignKey("games.id"), nullable=False),
    Column("user", ForeignKey("users.id"), nullable=False, index=True),
    Column("player", String(80), nullable=False),
    Column("body", Text, nullable=False),
    Column("active", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("round", String(20), nullable=False),
    Column("start", Integer, nullable=False),
    Column("begun", Integer, nullable=False),
    Column("seen", Integer, nullable=False),
    Column("asked", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("created", Moment, nullable=False),
    Index("programs_of_games", "game", "active"),
)
