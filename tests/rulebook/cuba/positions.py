"""Positions of 18Cuba for tests, made by hand where a rule needs it.

What `tests.table` does for any title (cash, charter, tiles, tokens, phase, at, play, code, cited,
offered ...) works here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from carril import start
from carril.engine.move import Move
from carril.engine.play import resume
from carril.engine.state import IPO, TREASURY, Marker, Round, State
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.stock import StockRound
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import begin_phase
from carril.titles.cuba.common import CubaState, cuba
from tests.table import NAMES, at, cash, charter


def game(players: int = 4, **more: Any) -> State:
    """Return the first position of 18Cuba with Ana first, then Ben, and so on."""
    return start("18Cuba", NAMES[:players], **({"seed": 1, "seated": True} | more))


def extra(state: State, **changes: Any) -> State:
    """Change what only 18Cuba remembers."""
    return replace(state, extra=replace(cuba(state), **changes))


def memory(state: State) -> CubaState:
    """Return what only 18Cuba remembers."""
    return cuba(state)


def priced(state: State, symbol: str, value: int) -> State:
    """Put the marker of a company on a price, under those already there."""
    others = tuple(marker for marker in state.markers if marker.company != symbol)
    column = state.tables.rows[0].index(value)
    return replace(state, markers=(*others, Marker(symbol, 0, column)))


def _opened(
    state: State, symbol: str, shares: Mapping[str, int], value: int, rest: str, **more: Any
) -> State:
    units = state.tables.companies[symbol].units
    holders = {name: count for name, count in shares.items() if count}
    left = units - sum(holders.values())
    if left:
        holders[rest] = holders.get(rest, 0) + left
    fields = {"started": True, "floated": True, "operated": True, "par": value} | more
    state = charter(state, symbol, shares=holders, owner=next(iter(shares)), **fields)
    return priced(state, symbol, value)


def minor(
    state: State, symbol: str, shares: Mapping[str, int], *, value: int = 80, **more: Any
) -> State:
    """Open a minor by hand: its shares (of five) by holder, the first being its director.

    What nobody holds is in its treasury. It has operated unless said otherwise; no token is on the
    map.
    """
    return _opened(state, symbol, shares, value, TREASURY, **more)


def major(
    state: State, symbol: str, shares: Mapping[str, int], *, value: int = 80, **more: Any
) -> State:
    """Found a major by hand: its shares (of ten) by holder, the first being its director.

    What nobody holds is in its treasury; with `floated=False` it is in the offering. Two stations
    are usable and two are locked, unless said otherwise; no token is on the map.
    """
    rest = TREASURY if more.get("floated", True) else IPO
    return _opened(state, symbol, shares, value, rest, **({"tokens": 2, "locked": 2} | more))


def stock_round(state: State, player: str = "Ana", turn: int = 2) -> State:
    """Put the position into a stock round with this player to act."""
    state = replace(state, round=Round("SR", turn), agenda=(StockRound(player),))
    return resume(state).state


def reach(state: State, phase: str) -> State:
    """Begin all phases up to this one: rust and ageing happen, and earlier cards are sold."""
    move, phases = Move(state), state.tables.phases
    first = state.tables.phase_numbers[state.phase] + 1
    for one in phases[first : state.tables.phase_numbers[phase] + 1]:
        begin_phase(move, one.name)
    left = dict(move.state.depot.left)
    for card in takewhile(lambda card: card != _begun_with(state, phase), left):
        left[card] = 0
    return replace(move.state, depot=replace(move.state.depot, left=left))


def _begun_with(state: State, phase: str) -> str:
    first = state.tables.phases[0].name
    return "2" if phase == first else state.tables.phases[state.tables.phase_numbers[phase]].train


def supply(state: State, counts: Mapping[str, int]) -> State:
    """Change how many cards are unsold."""
    return replace(state, depot=replace(state.depot, left={**state.depot.left, **counts}))


def pool(state: State, *trains: str) -> State:
    """Put trains into the pool."""
    return replace(state, depot=replace(state.depot, pool=trains))


def four_companies(phase: str = "3") -> State:
    """Two minors and two majors that have operated, without trains, in a phase.

    Ana directs HG (price 80) and MS (90), Ben directs JU (75) and NPP (100). Everybody has 680,
    no company has any money.
    """
    state = reach(game(), phase)
    state = minor(state, "HG", {"Ana": 3}, value=80)
    state = minor(state, "JU", {"Ben": 3}, value=75)
    state = major(state, "MS", {"Ana": 5, "Cleo": 1}, value=90)
    return major(state, "NPP", {"Ben": 5, "Cleo": 1}, value=100)


def buying(state: State, company: str, **amounts: int) -> State:
    """Put the position into the train step of a company, with this money."""
    return at(
        cash(state, **amounts),
        EndTurn(company),
        BuyTrains(company),
        round_=Round("OR", 2, 1, 1),
    )


def operate(state: State, company: str, *, turn: int = 2, number: int = 1, of: int = 1) -> State:
    """Put the position into an operating round at the beginning of this company's turn."""
    order = state.title.order(state)
    done = tuple(order[: order.index(company)])
    state = replace(state, round=Round("OR", turn, number, of), agenda=(OperatingRound(done),))
    return resume(state).state
