"""New tables that begin at a position of another game, record or what-if line."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row, select

from carril.engine.state import State
from carril.service.account_store import check_exists
from carril.service.errors import BadRequest, Finished
from carril.service.game_store import GameStore, Reader
from carril.service.new_games import add_line
from carril.service.operations import operation
from carril.service.opponents import check_bot
from carril.service.setting_up import TableSetup, check_table_name
from carril.service.storage import check_storage
from carril.service.store.journal import Draft
from carril.service.store.tables import records, standing
from carril.service.values import GameInfo, Seat, SeatInfo, User


class Continuation(Struct, frozen=True):
    """Where a new table begins, and who plays at it: a seat for each player of the game."""

    at: int
    seats: tuple[Seat, ...]
    name: str = ""
    fork: str = ""
    """The what-if line of the position, "" for the main line."""


@operation
def continue_from(store: GameStore, game: str, user: User, continuation: Continuation) -> GameInfo:
    """Store a new table that begins at a position, with the history that led to it.

    The players keep their names, and the game keeps its set-up and conventions.
    """
    check_table_name(continuation.name)
    with store.writing(user=user.id, game=game, fork=continuation.fork) as reader:
        check_exists(reader.connection, user)
        line = reader.line(game, continuation.fork or None, user)
        state = reader.position(line, continuation.at).state
        if state.ended:
            raise Finished("The game is over at this position. Choose an earlier one.")
        seats = _seats(user, state, continuation.seats)
        check_storage(reader.connection, user, continuation.at + 1, store.most_positions)
        drafts = _drafts(reader, line.id, continuation.at, state, seats)
        setup = TableSetup(seats, state)
        made = add_line(reader.connection, user, continuation.name, setup, drafts)
        info = reader.info(made.id, user)
    store.changed(made)
    return info


def _seats(user: User, state: State, asked: tuple[Seat, ...]) -> tuple[SeatInfo, ...]:
    """Return who plays each player of the game."""
    if len(asked) != len(state.players):
        facts = {"players": len(state.players), "seats": len(asked)}
        raise BadRequest("The new table needs a seat for each player of the game.", facts)
    return tuple(_seat(user, *each) for each in zip(state.players, asked, strict=True))


def _seat(user: User, player: str, seat: Seat) -> SeatInfo:
    if seat.kind == "me":
        return SeatInfo(player, "person", user=user.id, user_name=user.name)
    if seat.kind == "person":
        return SeatInfo(player, "person", invitation=secrets.token_urlsafe(16))
    check_bot(seat.bot)
    return SeatInfo(player, "bot", bot=seat.bot)


def _drafts(
    reader: Reader, line: str, at: int, state: State, seats: tuple[SeatInfo, ...]
) -> list[Draft]:
    """Return the records up to a position, to be written again for another line."""
    bot = next((seat.bot for seat in seats if seat.player == state.acting), "")
    return [
        Draft(
            kind="act" if row.action else "start",
            number=row.number,
            state=state,  # only that of the last record is used
            snapshot=bytes(row.snapshot),
            by=row.by,
            action=row.action,
            events=row.events,
            reason=row.reason,
            bot=bot,
        )
        for row in _rows(reader.connection, line, at)
    ]


def _rows(connection: Connection, line: str, at: int) -> list[Row[Any]]:
    wanted = ("by", "action", "events", "reason", "snapshot")
    query = (
        select(standing.c.number, *(records.c[name] for name in wanted))
        .join(standing, standing.c.record == records.c.id)
        .where(standing.c.line == line, standing.c.number <= at)
        .order_by(standing.c.number)
    )
    return list(connection.execute(query))
