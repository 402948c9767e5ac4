"""The start of a game: seats, starting cash and the bank."""

from __future__ import annotations

from typing import NamedTuple

from carril.engine.state import Player, Setup
from carril.engine.stream import shuffled
from carril.engine.tables import Tables

_SEED_BITS = (1 << 64) - 1


class Opening(NamedTuple):
    """What the first position of every title has in common."""

    players: dict[str, Player]
    bank: int
    """The money that is left in the bank; below 0 where the bank never runs out."""
    stream: int
    """The random stream after the seats were drawn."""

    @property
    def first(self) -> str:
        """The player in the first seat."""
        return next(iter(self.players))


def open_game(setup: Setup, tables: Tables) -> Opening:
    """Seat the players, in the order drawn from the seed unless it is given, and pay them."""
    seats, stream = setup.players, setup.seed & _SEED_BITS
    if not setup.seated:
        seats, stream = shuffled(stream, seats)
    cash = tables.setup.cash
    bank = (tables.figures.bank or 0) - cash * len(seats)
    return Opening({name: Player(name, cash) for name in seats}, bank, stream)
