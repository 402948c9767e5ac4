"""Positions about trains: a company that is about to buy, and a deck opened at some card."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from carril.engine.state import Round, State
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.trains import BuyTrains as TrainStep
from tests.rulebook.esp.positions import extra, game, major, privates
from tests.table import at, cash, phase, tiles, tokens


def empty(in_phase: str = "3", players: int = 3, **more: Any) -> State:
    """Return a game without privates, in a phase, its deck open at the train of that name."""
    return phase(privates(game(players, **more)), in_phase)


def deck(state: State, top: str, **left: int) -> State:
    """Open the deck at a card without starting its phase; `left` as n3=1 for one 3 train."""
    counts = dict(state.depot.left)
    for name in counts:
        if int(name) < int(top):
            counts[name] = 0
        counts[name] = left.get(f"n{name}", counts[name])
    return replace(state, depot=replace(state.depot, left=counts))


def pool(state: State, *trains: str) -> State:
    """Put trains into the open market."""
    return replace(state, depot=replace(state.depot, pool=trains))


def company(
    state: State, symbol: str, director: str = "Ana", *, money: int = 0, **more: Any
) -> State:
    """Launch a major of which its director holds four shares and nobody else any."""
    state = major(state, symbol, {director: more.pop("held", 4)}, **more)
    return cash(state, **{symbol: money})


def buying(state: State, symbol: str, number: int = 1, of: int = 1) -> State:
    """Put a company before the purchase of trains in its turn."""
    steps = (OperatingRound((symbol,)), EndTurn(symbol), TrainStep(symbol))
    return at(extra(state, round_order=()), *steps, round_=Round("OR", 2, number, of))


def northwards(state: State, symbol: str = "N") -> State:
    """Give N track from Madrid to Valladolid, its destination: 30 and 20, broad gauge."""
    state = extra(state, goals={symbol: ("destination",)})
    state = tiles(state, E23=("8", 3), E21=("57", 0))
    return tokens(state, F24=((), (symbol,), ()))


def across(state: State, symbol: str = "N") -> State:
    """Lead the track of `northwards` on through Alar del Rey, which is open, to Reinosa."""
    state = northwards(state, symbol)
    state = tiles(state, E19=("9", 0), H10=("79", 0), H8=("956", 0))
    return tokens(state, H12=((),))


def coast(state: State, symbol: str = "CFLG") -> State:
    """Give CFLG track from Gijón (30) to its harbour, narrow gauge."""
    return tokens(tiles(state, E3=("L82", 0)), E3=((symbol,),))


def two_passes(state: State) -> State:
    """Let N reach Pajares from Madrid and Alar del Rey from a station in Reinosa, both closed."""
    state = tiles(northwards(state), E19=("8", 0), H10=("79", 0), H8=("956", 0))
    return tokens(state, H8=(("N",),))
