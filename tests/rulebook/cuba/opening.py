"""The first stock round up to the point that a test needs."""

from __future__ import annotations

from carril.engine.actions import Bid, ChooseLot, Pass
from carril.engine.state import State
from tests.table import play

PARS = (70, 75, 80, 85, 90, 95, 100)
"""The starting prices (CUBA-VI.7-b, CUBA-VI.8-a)."""


def sold(state: State, amount: int = 0) -> State:
    """Let the opener buy the commissioner: one bid, and all others pass."""
    return play(state, Bid(amount), *(Pass() for _ in range(len(state.players) - 1)))


def auctioned(state: State) -> State:
    """Sell all six commissioners for nothing; the order of the players stays as it is."""
    for _ in range(6):
        state = sold(state)
    return state


def drafted(state: State, *concessions: str) -> State:
    """Hold the auction, then let the players take these concessions in order; "" declines."""
    state = auctioned(state)
    for concession in concessions:
        state = play(state, ChooseLot(concession) if concession else Pass())
    return state
