"""Positions of 18Cuba for tests, made by hand where a rule needs it.

What `tests.table` does for any title (cash, charter, tiles, tokens, phase, at, play, code, cited,
offered ...) works here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from carril import start
from carril.engine.play import resume
from carril.engine.state import IPO, TREASURY, Marker, Round, State
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.stock import StockRound
from carril.titles.cuba.common import CubaState, cuba
from tests.table import NAMES, charter


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


def operate(state: State, company: str, *, turn: int = 2, number: int = 1, of: int = 1) -> State:
    """Put the position into an operating round at the beginning of this company's turn."""
    order = state.title.order(state)
    done = tuple(order[: order.index(company)])
    state = replace(state, round=Round("OR", turn, number, of), agenda=(OperatingRound(done),))
    return resume(state).state
