"""What a share will still bring until the end of the game."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from carril.bots.greedy import outlook
from carril.engine.market import grid, marker
from carril.engine.shares import company_def
from carril.engine.state import Marker, State


@dataclass(frozen=True, slots=True)
class Prospect:
    """What one share brings: its dividends, and its price now and at the end."""

    dividends: float
    now: int
    then: int

    @property
    def gain(self) -> float:
        """What its holder is better off for having it."""
        return self.dividends + self.then - self.now


def prospect(state: State, symbol: str) -> Prospect:
    """Return what a share brings if its company goes on as it is expected to."""
    found, market = marker(state, symbol), grid(state)
    if found is None:
        return Prospect(0.0, 0, 0)
    now = market.price(found.row, found.column)
    earned = outlook.expected(state, symbol)
    rounds = outlook.rounds_left(state)
    for _ in range(rounds):
        found = _moved(state, found, earned)
        state = replace(state, markers=(*(m for m in state.markers if m.company != symbol), found))
    each = earned / company_def(state, symbol).units
    return Prospect(each * rounds, now, market.price(found.row, found.column))


def _moved(state: State, place: Marker, dividend: int) -> Marker:
    """Return where a dividend moves a price."""
    market = grid(state)
    steps = state.title.earnings.price_steps(state, place.company, dividend)
    space = (place.row, place.column)
    for _ in range(abs(steps)):
        space = market.right(*space) if steps > 0 else market.left(*space)
    return Marker(place.company, *space)
