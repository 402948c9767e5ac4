"""How people want to be told that it is their turn: tables, and reading them."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    bindparam,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from carril.service.store.tables import Moment, metadata

Mails = Literal["off", "turn", "digest"]
HookKind = Literal["json", "discord", "slack"]

notices = Table(
    "notices",
    metadata,
    Column("user", ForeignKey("users.id"), primary_key=True),
    Column("mails", String(8), nullable=False),
    Column("push", Boolean, nullable=False),
    Column("zone", String(40), nullable=False),
    Column("digest_hour", Integer, nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("delay", Integer, nullable=False),
)

hooks = Table(
    "hooks",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("user", ForeignKey("users.id"), nullable=False, index=True),
    Column("game", ForeignKey("games.id"), index=True),
    Column("kind", String(8), nullable=False),
    Column("url", Text, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("created", Moment, nullable=False),
)

pushes = Table(
    "pushes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("user", ForeignKey("users.id"), nullable=False, index=True),
    Column("endpoint", Text, nullable=False),
    Column("key", String(200), nullable=False),
    Column("auth", String(100), nullable=False),
    Column("created", Moment, nullable=False),
)

service_keys = Table(
    "service_keys",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)


class Notices(Struct, frozen=True):
    """How a user wants to be told that it is their turn."""

    mails: Mails = "turn"
    """To the confirmed address: never, for each turn, or once a day."""
    push: bool = True
    """To the browsers that are subscribed."""
    zone: str = "UTC"
    digest_hour: int = 8
    """The hour of the day at which the daily mail is sent."""
    quiet_from: int | None = None
    """The first of the hours in which nothing is sent."""
    quiet_to: int | None = None
    """The hour at which messages are sent again."""
    delay: int = 30
    """Seconds to wait, so that somebody who acts at once hears nothing."""


class Hook(Struct, frozen=True):
    """An address to which a message is posted, for a user's turns or for all turns at a table."""

    id: str
    user: str
    game: str | None
    kind: HookKind
    url: str
    secret: str
    """Signs the messages of the kind "json"."""
    created: datetime


class Push(Struct, frozen=True):
    """A browser that is subscribed to push messages."""

    id: str
    user: str
    endpoint: str
    key: str
    auth: str
    created: datetime


_NOTICES = select(*(notices.c[name] for name in Notices.__struct_fields__)).where(
    notices.c.user == bindparam("wanted")
)


def notices_of(connection: Connection, user: str) -> Notices:
    """Return how a user wants to be told."""
    row = connection.execute(_NOTICES, {"wanted": user}).one_or_none()
    return Notices(*row) if row else Notices()


def hooks_of(connection: Connection, user: str = "", game: str = "") -> list[Hook]:
    """Return the hooks for the turns of a user, or those of a table."""
    own = (hooks.c.user == user) & hooks.c.game.is_(None)
    chosen = hooks.c.game == game if game else own
    return [Hook(*row) for row in connection.execute(select(hooks).where(chosen))]


def pushes_of(connection: Connection, user: str) -> list[Push]:
    """Return the browsers of a user that are subscribed."""
    return [Push(*row) for row in connection.execute(select(pushes).where(pushes.c.user == user))]


def service_key(connection: Connection, name: str, value: str = "") -> str:
    """Return a secret of the service; the first process that asks stores it, by default random."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    added = insert(service_keys).values(name=name, value=value or secrets.token_urlsafe(32))
    connection.execute(added.on_conflict_do_nothing(index_elements=["name"]))
    query = select(service_keys.c.value).where(service_keys.c.name == name)
    return str(connection.execute(query).scalar_one())


# --- when ----------------------------------------------------------------------------------


def allowed_from(chosen: Notices, moment: datetime) -> datetime:
    """Return the first moment, from a given one on, outside the quiet hours of a user."""
    first, last = chosen.quiet_from, chosen.quiet_to
    if first is None or last is None or first == last:
        return moment
    local = moment.astimezone(ZoneInfo(chosen.zone))
    quiet = first <= local.hour < last if first < last else not last <= local.hour < first
    return _next_hour(chosen, moment, last) if quiet else moment


def next_digest(chosen: Notices, moment: datetime) -> datetime:
    """Return when the next daily mail of a user is due."""
    return _next_hour(chosen, moment, chosen.digest_hour)


def _next_hour(chosen: Notices, moment: datetime, hour: int) -> datetime:
    zone = ZoneInfo(chosen.zone)
    local = moment.astimezone(zone)
    day = local.date()
    found = datetime.combine(day, time(hour), zone)
    if found <= local:
        found = datetime.combine(day + timedelta(days=1), time(hour), zone)
    return found.astimezone(UTC)
