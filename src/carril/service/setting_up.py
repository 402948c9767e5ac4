"""Setting up a game: its seats and its first position."""

from __future__ import annotations

import secrets

import msgspec
from msgspec import Struct

from carril.engine.play import start
from carril.engine.refusals import BadSetup
from carril.engine.state import State
from carril.service.errors import BadRequest
from carril.service.names import clean_name, is_visible, skeleton
from carril.service.opponents import check_bot, default_bot
from carril.service.table_clocks.counting import TimeControl, check_control
from carril.service.values import NewGame, Seat, SeatInfo, User

TABLE_NAME_LENGTH = 80
_OPEN_SEAT = "Guest "
_SEED_BITS = 31


class TableSetup(Struct, frozen=True):
    """The seats of a new game, in the requested order, and its first position."""

    seats: tuple[SeatInfo, ...]
    state: State


def set_up_table(user: User, new: NewGame) -> TableSetup:
    """Return the seats and the first position; raise BadRequest if the choices are invalid."""
    check_table_name(new.name)
    seats = _seats(user, new.seats)
    seed = random_seed() if new.seed is None else new.seed
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
    return TableSetup(seats, state)


def random_seed() -> int:
    """Return a seed for a new game."""
    return secrets.randbits(_SEED_BITS)


def chosen_clock(control: TimeControl) -> TimeControl:
    """Return the clock of a new table, with the bot that plays on; raise BadRequest if invalid."""
    checked = check_control(control)
    if checked.penalty != "bot":
        return checked
    bot = checked.bot or default_bot()
    check_bot(bot)
    return msgspec.structs.replace(checked, bot=bot)


def is_open_seat_name(name: str) -> bool:
    """Return whether a name was made up for a seat that nobody had taken yet.

    >>> is_open_seat_name("Guest 2"), is_open_seat_name("Ana")
    (True, False)
    """
    return name.startswith(_OPEN_SEAT) and name.removeprefix(_OPEN_SEAT).isdigit()


def check_table_name(name: str) -> None:
    """Raise BadRequest if a table cannot have this name."""
    if len(name) > TABLE_NAME_LENGTH or not is_visible(name):
        raise BadRequest(
            f"A table name must have at most {TABLE_NAME_LENGTH} printable characters.",
            {"most": TABLE_NAME_LENGTH},
        )


def _seats(user: User, asked: tuple[Seat, ...]) -> tuple[SeatInfo, ...]:
    made: list[SeatInfo] = []
    for number, seat in enumerate(asked, start=1):
        if seat.kind == "bot":
            check_bot(seat.bot)
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
    """Return the requested name, or a default name that nobody else has."""
    if seat.name:
        name = clean_name(seat.name)
        if skeleton(name) in {skeleton(one) for one in taken}:
            raise BadRequest(f"Two players cannot both be called {name}.", {"name": name})
        return name
    base = {"me": user.name, "person": f"{_OPEN_SEAT}{number}", "bot": seat.bot.capitalize()}[
        seat.kind
    ]
    name, count = base, 1
    while name in taken:
        count += 1
        name = f"{base} {count}"
    return name
