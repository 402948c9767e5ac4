"""Whole rounds of 18Cuba for tests: turns by hand, and a board on which sugar is shipped."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import (
    Action,
    BuyMachine,
    DeclareDividend,
    LayTile,
    Pass,
    RunTrains,
)
from carril.engine.market import price
from carril.engine.state import IPO, POOL, State
from tests.rulebook.cuba.lines import run
from tests.rulebook.cuba.positions import extra, game, major, minor, priced, reach
from tests.table import cash, charter, play, tiles, tokens

FULL, KEEP = DeclareDividend("full"), DeclareDividend("withhold")


def due(state: State, company: str, kind: type[Action]) -> State:
    """Pass in the turn of a company until it may take such an action."""
    assert state.step.subject == company, f"{state.step.subject} operates, not {company}"
    while kind not in state.step.allows:
        state = play(state, Pass())
        assert state.step.subject == company, f"{company} may not {kind.__name__}"
    return state


def end_turn(state: State, company: str) -> State:
    """Pass until the turn of a company is over."""
    now = state.round
    while state.agenda and (state.step.subject, state.round) == (company, now):
        state = play(state, Pass())
    return state


def money(state: State) -> dict[str, int]:
    """Return the cash of the players, by name."""
    return {name: state.players[name].cash for name in sorted(state.players)}


def stocks(state: State, *symbols: str) -> tuple[tuple[int, int], ...]:
    """Return treasury and price of companies."""
    return tuple((state.companies[symbol].cash, price(state, symbol)) for symbol in symbols)


# --- the sugar coast -----------------------------------------------------------------------

COAST: dict[str, Any] = {
    "B9": ("57", 1),  # Matanzas 20: edges 1 (Havana) and 4 (Cárdenas); MS
    "B11": ("L66", 1),  # Cárdenas 30: standard 0, 1, 2, 3, narrow 4, 5; HG, the FC and TSS fill it
    "B13": ("L49", 0),  # a field 10: narrow 1, 5
    "D13": ("L60", 0),  # Cienfuegos 20: narrow 1, standard 4, 5; CO
    "D11": ("L48", 2),  # a field 10: narrow 4, 1
}
"""Havana as printed: its city on edge 4, 30, is full with the token of the FC."""


def sugar_coast() -> State:
    """Phase 4. CO stands at 70, HG at 80, MS at 100, TSS at 90, the FC at 60.

    Dan has 3 shares of CO, Ben 3 of HG, Ana 6 of MS; Cleo has 5 and Dan 1 of TSS, one is in the
    pool; Ana has 3 and Cleo 2 of the FC. What is left is in the treasuries (FC: the offering).
    HG has two machines of the second generation. The newest train of the FC is a 4.
    """
    state = reach(game(), "4")
    state = minor(state, "CO", {"Dan": 3}, value=70, trains=("3n",), tokens=0)
    state = minor(state, "HG", {"Ben": 3}, value=80, trains=("3n",), tokens=0)
    state = major(state, "MS", {"Ana": 6}, value=100, trains=("3", "1w"), tokens=1)
    shares = {"Cleo": 5, "Dan": 1, POOL: 1}
    state = major(state, "TSS", shares, value=90, trains=("4", "2w"), tokens=0)
    shares = {"Ana": 3, "Cleo": 2, IPO: 5}
    state = charter(state, "FC", trains=("1", "2", "4"), shares=shares, tokens=6, operated=True)
    state = tiles(priced(state, "FC", 60), **COAST)
    state = tokens(state, B9=(("MS",),), B11=(("HG", "FC", "TSS"),), D13=(("CO",),))
    return cash(extra(state, machines={"HG": ("2", "2")}), MS=100)


def sail(state: State, *, first: bool) -> State:
    """Play a round on the sugar coast, up to the turn of the FC, which follows by itself.

    In the `first` one HG buys a machine and MS lays a tile beyond Cárdenas.
    """
    state = due(state, "CO", RunTrains)
    state = end_turn(play(state, run("3n: D13.0 D11.0"), FULL), "CO")
    state = play(due(state, "HG", RunTrains), run("3n: B11.0 B13.0"), FULL)
    if first:
        state = play(due(state, "HG", BuyMachine), BuyMachine("1"))
    state = end_turn(state, "HG")
    if first:
        state = due(state, "MS", LayTile)
        state = play(state, LayTile("C10", "9", 0, passes=("B11.0",)))
    state = due(state, "MS", RunTrains)
    passed = run("3: B7.1 B9.0 B11.0 A12.0", extras=("1w 3 HG=1", "toll B11.0"))
    state = end_turn(play(state, passed, FULL), "MS")
    state = due(state, "TSS", RunTrains)
    return play(state, run("4: B9.0 B11.0 A12.0", extras=("2w 4 HG=1",)), KEEP)
