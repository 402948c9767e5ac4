"""Setting a game up: the names at the table and the first position."""

from __future__ import annotations

import secrets

from msgspec import Struct

from carril.engine.play import start
from carril.engine.refusals import BadSetup
from carril.engine.state import State
from carril.service.errors import BadRequest
from carril.service.opponents import bot_names
from carril.service.values import NewGame, Seat, SeatInfo, User

NAME_LENGTH = 40
_SEED_BITS = 31


class Laid(Struct, frozen=True):
    """A table that is laid: its seats in the order they were asked for, the first position."""

    seats: tuple[SeatInfo, ...]
    state: State


def lay_table(user: User, new: NewGame) -> Laid:
    """Return the seats and the first position; BadRequest if the game cannot be set up."""
    if len(new.name) > 2 * NAME_LENGTH:
        raise BadRequest("the name of the game is too long", {"most": 2 * NAME_LENGTH})
    seats = _seats(user, new.seats)
    seed = secrets.randbits(_SEED_BITS) if new.seed is None else new.seed
    try:
        state = start(
            new.title,
            [seat.player for seat in seats],
            seed,
            edition=new.edition,
            conventions=new.conventions,
            variants=new.variants,
        )
    except BadSetup as error:
        raise BadRequest(str(error)) from None
    return Laid(seats, state)


def _seats(user: User, asked: tuple[Seat, ...]) -> tuple[SeatInfo, ...]:
    made: list[SeatInfo] = []
    for number, seat in enumerate(asked, start=1):
        if seat.kind == "bot" and seat.bot not in bot_names():
            known = ", ".join(bot_names())
            raise BadRequest(f"there is no bot {seat.bot!r}; there are: {known}")
        name = _free_name(seat, user, number, {one.player for one in made})
        made.append(_seat(seat, user, name))
    return tuple(made)


def _seat(seat: Seat, user: User, name: str) -> SeatInfo:
    if seat.kind == "bot":
        return SeatInfo(name, "bot", bot=seat.bot)
    if seat.kind == "person":
        return SeatInfo(name, "person", invitation=secrets.token_urlsafe(16))
    return SeatInfo(name, "person", user=user.id, user_name=user.name)


def _free_name(seat: Seat, user: User, number: int, taken: set[str]) -> str:
    """Return the name that was asked for, or one made up that nobody has."""
    if seat.name:
        if len(seat.name) > NAME_LENGTH or seat.name != seat.name.strip():
            raise BadRequest(f"a player cannot be called {seat.name!r}", {"most": NAME_LENGTH})
        return seat.name
    base = {"me": user.name, "person": f"Guest {number}", "bot": seat.bot.capitalize()}[seat.kind]
    name, count = base, 1
    while name in taken:
        count += 1
        name = f"{base} {count}"
    return name
