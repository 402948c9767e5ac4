"""Telling people that it is their turn: which messages a turn causes, and what they say."""

from __future__ import annotations

from datetime import timedelta

from msgspec import Struct
from sqlalchemy import Connection, select

from carril.service.clock import now
from carril.service.store.journal import read_line
from carril.service.store.notices import (
    allowed_from,
    hooks_of,
    next_digest,
    notices_of,
    pushes_of,
)
from carril.service.store.outbox import Channel, Outgoing, Stored, latest_turn, put
from carril.service.store.tables import games, lines, seats, users

DECISION = "#sentence"
"""The part of a table's page at which the decision is."""


class Spoken(Struct, frozen=True):
    """What a message says."""

    subject: str
    body: str
    link: str
    table: str
    title: str
    player: str

    def content(self) -> dict[str, str]:
        """Return it as it is stored in the outbox."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def is_current(connection: Connection, message: Stored) -> bool:
    """Return whether it is still the turn that a message is about."""
    line = read_line(connection, message.game)
    if line is None or line.ended or line.status != "open" or line.acting is None:
        return False
    held = select(seats.c.user, seats.c.bot).where(
        seats.c.game == message.game, seats.c.player == line.acting
    )
    seat = connection.execute(held).one_or_none()
    mine = seat is not None and seat.user == message.user and not seat.bot
    return mine and latest_turn(connection, message.game) == message.version


def tell(connection: Connection, message: Stored) -> None:
    """Store the messages that a turn causes, in the ways and at the times its player chose."""
    said = _say(connection, message)
    if said is None:
        return
    user, moment = message.user, now()
    chosen = notices_of(connection, user)
    due = allowed_from(chosen, moment + timedelta(seconds=chosen.delay))
    version = 0 if message.content.get("about") else message.version

    def send(channel: Channel, name: str, target: str, *, late: bool = True) -> None:
        key = f"{message.key}:{name}"
        when = due if late else moment
        content = said.content()
        put(connection, Outgoing(key, channel, target, content, user, message.game, version, when))

    address = connection.execute(select(users.c.email).where(users.c.id == user)).scalar()
    if address and chosen.mails == "turn":
        send("mail", "mail", address)
    elif address and chosen.mails == "digest":
        daily = next_digest(chosen, moment)
        key = f"digest:{user}:{daily:%Y-%m-%d}"
        put(connection, Outgoing(key, "mail", address, {"digest": True}, user, due=daily))
    if chosen.push:
        for one in pushes_of(connection, user):
            send("push", f"push:{one.id}", one.id)
    for hook in hooks_of(connection, user=user):
        send("hook", f"hook:{hook.id}", hook.id)
    for hook in hooks_of(connection, game=message.game):
        send("hook", f"hook:{hook.id}", hook.id, late=False)


def _say(connection: Connection, message: Stored) -> Spoken | None:
    found = select(games.c.name, games.c.title).where(games.c.id == message.game)
    game = connection.execute(found).one_or_none()
    if game is None:
        return None
    player, link = message.target, f"/table/{message.game}{DECISION}"
    body = f"{player}, it is your turn at the table {game.name} ({game.title})."
    subject = f"Your turn: {game.name} ({game.title})"
    if message.content.get("about") == "time":
        subject = f"Your time is over: {game.name} ({game.title})"
        body = f"{player} has no time left at the table {game.name} ({game.title})."
        body += _CONSEQUENCES[message.content["penalty"]]
    return Spoken(subject, body, link, game.name, game.title, player)


_CONSEQUENCES = {
    "none": "",
    "bot": " A bot plays on until you take your seat back.",
    "loss": " By the agreement of the table, the game has ended.",
}


def digest(connection: Connection, user: str) -> dict[str, str] | None:
    """Return the daily mail: all tables that wait for a user; None if there are none."""
    waiting = (
        select(games.c.id, games.c.name, games.c.title)
        .join(lines, lines.c.id == games.c.id)
        .join(seats, (seats.c.game == games.c.id) & (seats.c.player == lines.c.acting))
        .where(seats.c.user == user, seats.c.bot == "", lines.c.ended == "")
        .where(lines.c.status == "open")
        .order_by(lines.c.updated)
    )
    rows = connection.execute(waiting).all()
    if not rows:
        return None
    listed = "\n".join(
        f"- {row.name} ({row.title}): {{base}}/table/{row.id}{DECISION}" for row in rows
    )
    count = "1 table waits" if len(rows) == 1 else f"{len(rows)} tables wait"
    return {"subject": f"{count} for you", "body": f"{count} for you:\n\n{listed}", "link": "/"}
