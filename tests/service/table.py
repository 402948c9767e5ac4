"""Short ways to set a table up and to play at it."""

from __future__ import annotations

import time
from collections.abc import Callable

from carril.engine.actions import Action, Range
from carril.engine.state import State
from carril.service.games import Games
from carril.service.opponents import bot_names
from carril.service.table_clocks.counting import TimeControl
from carril.service.values import Acted, GameInfo, NewGame, Seat, User

BOT = bot_names()[0]


def own_table(games: Games, user: User, seed: int = 3) -> GameInfo:
    """A game in which one person plays both seats."""
    return games.create(user, NewGame("18EU", (Seat("me"), Seat("me", "Zoe")), seed=seed))


def shared_table(
    games: Games, one: User, other: User, clock: TimeControl | None = None
) -> GameInfo:
    """A game of two people."""
    seats = (Seat("me"), Seat("person", "Second"))
    made = games.create(one, NewGame("18EU", seats, seed=3, clock=clock or TimeControl()))
    invitation = next(seat.invitation for seat in made.seats if seat.invitation)
    return games.join(invitation, other)


def first_action(state: State) -> Action:
    """The first option of a position."""
    option = state.options()[0]
    return option.at(option.least) if isinstance(option, Range) else option


def step(games: Games, game: str, user: User, fork: str | None = None) -> Acted:
    """Take the first option there is."""
    here = games.position(game, fork=fork, user=user)
    return games.act(game, user, first_action(here.state), here.head, fork=fork)


def until(what: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)
