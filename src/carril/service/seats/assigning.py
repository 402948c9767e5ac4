"""Who plays a seat: changes of the rows of seats, inside a transaction that has locked the game."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, update

from carril.service.game_store import Reader
from carril.service.playing import bot_of
from carril.service.store.clocks import settle
from carril.service.store.journal import Line, publish, read_line
from carril.service.store.programs import remove_programs
from carril.service.store.tables import lines, seats
from carril.service.values import User
from carril.service.votes.voting import end_requests_of


def open_seat(connection: Connection, game: str, player: str) -> None:
    """Offer a seat by a new invitation; nobody plays it until somebody takes it."""
    values = {"kind": "person", "user": None, "bot": "", "invitation": secrets.token_urlsafe(16)}
    _set(connection, game, player, values)


def give_to_bot(connection: Connection, game: str, player: str, bot: str) -> None:
    """Make a seat that of a bot."""
    _set(connection, game, player, {"kind": "bot", "user": None, "bot": bot, "invitation": None})


def set_stand_in(connection: Connection, game: str, player: str, bot: str) -> None:
    """Let a bot play the seat of somebody who keeps it; "" lets nobody else play it."""
    _set(connection, game, player, {"bot": bot})


def _set(connection: Connection, game: str, player: str, values: Mapping[str, object]) -> None:
    chosen = update(seats).where(seats.c.game == game, seats.c.player == player)
    connection.execute(chosen.values(**values))


def people_changed(
    reader: Reader, line: Line, kind: str, payload: dict[str, object], gone: str = ""
) -> Line:
    """Conclude a change of seats: end what waits for a user who is gone, tell the table.

    Return the line, on which a bot may be next now.
    """
    connection = reader.connection
    if gone:
        end_requests_of(connection, line, gone)
        if not reader.info(line.game).seats_of(User(gone, "")):
            remove_programs(connection, line.game, gone)
    line = refresh_bot(reader, line)
    settle(connection, line.game)
    publish(connection, line.id, kind, payload)
    return line


def refresh_bot(reader: Reader, line: Line) -> Line:
    """Store which bot is next after a change of seats, and return the line with it."""
    bot = "" if line.ended else bot_of(reader.info(line.game), reader.position(line).state)
    if bot != line.bot:
        changed = update(lines).where(lines.c.id == line.id).values(bot=bot)
        reader.connection.execute(changed)
    current = read_line(reader.connection, line.id)
    assert current is not None  # the line is locked
    return msgspec.structs.replace(current, bot=bot)
