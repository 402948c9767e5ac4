"""Rematch: a new table for the same people with the same settings, each one seat further."""

from __future__ import annotations

import secrets

from sqlalchemy import update

from carril.engine.play import start
from carril.service.account_store import check_may_act
from carril.service.errors import BadRequest
from carril.service.game_store import GameStore, Reader
from carril.service.new_games import add_line, first_draft
from carril.service.operations import operation
from carril.service.seats.changing import sit_down
from carril.service.setting_up import TableSetup, random_seed
from carril.service.storage import check_storage
from carril.service.store.clocks import begin_clock, read_clock
from carril.service.store.journal import publish, read_line
from carril.service.store.locks import lock_lines
from carril.service.store.tables import games
from carril.service.values import GameInfo, SeatInfo, User
from carril.service.votes.voting import check_takes_part


@operation
def rematch(store: GameStore, game: str, user: User) -> GameInfo:
    """Take one's seat at the rematch of a finished game; whoever is first creates the table.

    The others find it at the finished game, and their seats are kept for them by invitations.
    """
    while True:
        with store.reading() as reader:
            known = reader.info(game).rematch
        if again := _join(store, game, user, known):
            return again


def _join(store: GameStore, game: str, user: User, known: str) -> GameInfo | None:
    """Take the user's seat at the table `known`, or at a new one if that does not exist.

    Return None if somebody else has created a table meanwhile, whose row must be locked as well.
    """
    with store.writing(user=user.id) as reader:
        lock_lines(reader.connection, filter(None, {game, known}))
        info = reader.info(game)
        check_may_act(reader.connection, user)
        check_takes_part(info, user)
        if not info.finished:
            raise BadRequest("A rematch begins after the game is over.")
        if info.rematch != known:
            return None
        exists = bool(known) and read_line(reader.connection, known) is not None
        made = known if exists else _create(store, reader, info, user)
        _sit_down(reader, info, made, user)
        again = reader.info(made, user)
        lines = [reader.line(one) for one in (made, game)]
    for line in lines:
        store.changed(line)
    return again


def _sit_down(reader: Reader, info: GameInfo, made: str, user: User) -> None:
    """Take the seats at a new table that a user had in a game, if they are open."""
    again = reader.info(made)
    for player in info.seats_of(user):
        seat = again.seat(player)
        if seat and seat.kind == "person" and not seat.user:
            sit_down(reader, reader.line(made), player, user)


def _create(store: GameStore, reader: Reader, info: GameInfo, user: User) -> str:
    """Create the new table and return its id; nobody sits there yet but the bots."""
    check_storage(reader.connection, user, 1, store.most_positions)
    first = reader.position(reader.line(info.id), 0).state
    seats = _rotated(info)
    state = start(
        info.title,
        [seat.player for seat in seats],
        random_seed(),
        edition=info.edition,
        conventions=first.setup.conventions,
        variants=info.variants,
    )
    setup = TableSetup(seats, state)
    line = add_line(reader.connection, user, info.name, setup, [first_draft(user, setup)])
    values = {"visibility": info.visibility, "rated": info.rated}
    reader.connection.execute(update(games).where(games.c.id == line.id).values(**values))
    if clock := read_clock(reader.connection, info.id):
        begin_clock(reader.connection, line.id, clock.control, line.created)
    told = update(games).where(games.c.id == info.id).values(rematch=line.id)
    reader.connection.execute(told)
    publish(reader.connection, info.id, "seat", {"rematch": line.id, "name": user.name})
    return line.id


def _rotated(info: GameInfo) -> tuple[SeatInfo, ...]:
    """Return the seats of a game, each one place further, open but for the bots."""
    moved = (*info.seats[1:], *info.seats[:1])
    return tuple(
        SeatInfo(seat.player, "bot", bot=seat.bot)
        if seat.kind == "bot"
        else SeatInfo(seat.player, "person", invitation=secrets.token_urlsafe(16))
        for seat in moved
    )
