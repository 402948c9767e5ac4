"""Positions of 18ESP for tests, made by hand where a rule needs it.

What `tests.table` does for any title (cash, charter, tiles, tokens, phase, at, play, code, cited,
offered ...) works here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from carril import start
from carril.engine.play import resume
from carril.engine.state import IPO, Marker, Round, State
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.stock import StockRound
from carril.titles.esp.common import ESPState, esp
from tests.table import NAMES, charter


def game(players: int = 4, **more: Any) -> State:
    """Return the first position of 18ESP with Ana first, then Ben, and so on."""
    return start("18ESP", NAMES[:players], **({"seed": 1, "seated": True} | more))


def extra(state: State, **changes: Any) -> State:
    """Change what only 18ESP remembers."""
    return replace(state, extra=replace(esp(state), **changes))


def privates(state: State, **owners: str) -> State:
    """Give privates to players or companies (P1="Ana"); those not named are closed."""
    return extra(state, privates=dict(owners))


def major(
    state: State,
    symbol: str,
    shares: Mapping[str, int],
    *,
    par: int = 80,
    column: int | None = None,
    **more: Any,
) -> State:
    """Launch a major by hand: its shares by holder, the first being its director.

    What nobody holds lies in the IPO. Floated, operated, two stations usable and the rest
    locked, unless said otherwise; no token is on the map.
    """
    holders = {name: count for name, count in shares.items() if count}
    rest = 10 - sum(holders.values())
    if rest:
        holders[IPO] = holders.get(IPO, 0) + rest
    fields = {"started": True, "floated": True, "operated": True, "par": par} | more
    state = charter(state, symbol, shares=holders, owner=next(iter(shares)), **fields)
    place = next(p.column for p in state.title.tables.pars if p.price == par)
    marker = Marker(symbol, 0, place if column is None else column)
    return replace(state, markers=(*state.markers, marker))


def minor(state: State, symbol: str, owner: str, *, value: int = 80, **more: Any) -> State:
    """Start a minor by hand at a market value; it has operated unless said otherwise."""
    fields = {"started": True, "floated": True, "operated": True} | more
    state = charter(state, symbol, shares={owner: 1}, owner=owner, **fields)
    column = state.title.tables.rows[0].index(value)
    return replace(state, markers=(*state.markers, Marker(symbol, 0, column)))


def stock_round(state: State, player: str = "Ana", turn: int = 2) -> State:
    """Put the position into a stock round with this player to act."""
    state = replace(state, round=Round("SR", turn), agenda=(StockRound(player),))
    return resume(state).state


def operate(state: State, company: str, *, turn: int = 2, number: int = 1, of: int = 1) -> State:
    """Put the position into an operating round at the beginning of this company's turn."""
    order = state.title.order(extra(state, round_order=()))
    done = tuple(order[: order.index(company)])
    round_ = Round("OR", turn, number, of)
    state = extra(replace(state, round=round_, agenda=(OperatingRound(done),)), round_order=())
    return resume(state).state


def memory(state: State) -> ESPState:
    """Return what only 18ESP remembers."""
    return esp(state)
