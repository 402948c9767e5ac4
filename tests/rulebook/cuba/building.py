"""Positions in which a company of 18Cuba builds: its home, track, a station.

Edges: 0 south-west, 1 west, 2 north-west, 3 north-east, 4 east, 5 south-east.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carril.engine.actions import LayTile
from carril.engine.state import State
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.track import LayTrack
from tests.rulebook.cuba.positions import game, major, minor
from tests.table import at, cash, charter, offered, phase, tiles, tokens

Laid = Mapping[str, tuple[str, int]]

# Where passes are needed: Matanzas, Cárdenas, plain track on B13, Santa Clara. The two eastern
# cities are full, each with a token of the state railway.
#   B9   57 turned 1: edges 1, 4                       MS
#   B11  14 turned 0: edges 0, 1, 3, 4                 FC, NPP
#   B13  8 turned 5: edges 5, 1
#   C14  14 turned 1: edges 1, 2, 4, 5                 FC, CVC
EAST: Laid = {"B9": ("57", 1), "B11": ("14", 0), "B13": ("8", 5), "C14": ("14", 1)}
FULL = {"B9": (("MS",),), "B11": (("FC", "NPP"),), "C14": (("FC", "CVC"),)}


def is_minor(state: State, symbol: str) -> bool:
    """Return whether a company is a minor."""
    return state.tables.companies[symbol].kind == "minor"


def opened(state: State, symbol: str, owner: str = "Ana", **more: Any) -> State:
    """Open a company by hand, 60% of it with one player."""
    if is_minor(state, symbol):
        return minor(state, symbol, {owner: 3}, **({"tokens": 0} | more))
    return major(state, symbol, {owner: 6}, **({"tokens": 1, "locked": 2} | more))


def other_major(state: State, symbol: str) -> str:
    """Return another major of this set-up, to come after a company."""
    found = (one for one in ("NPP", "TSS", "MS", "CVC") if one in state.companies)
    return next(one for one in found if one != symbol)


def building(
    symbol: str,
    laid: Laid | None = None,
    placed: Mapping[str, tuple[tuple[str, ...], ...]] | None = None,
    *,
    money: int = 100,
    now: str = "1",
    state: State | None = None,
    **more: Any,
) -> State:
    """Return the track step of a company that Ana directs; its station step follows.

    The tiles and tokens are put on the map, the treasury holds `money`, and the phase is `now`.
    Ben's company comes next, so that the game goes on.
    """
    state = opened(state or game(), symbol, **more)
    other = other_major(state, symbol)
    if not state.companies[other].owner:
        state = opened(state, other, "Ben")
    state = phase(tokens(tiles(state, **(laid or {})), **(placed or {})), now)
    state = cash(state, **{symbol: money})
    return at(state, LayTrack(other), PlaceStation(symbol), LayTrack(symbol))


def begin(symbol: str, state: State | None = None, **more: Any) -> State:
    """Return the beginning of a company's first turn: its home, then track, then a station."""
    state = opened(state or game(), symbol, **({"operated": False} | more))
    spare = 1 if is_minor(state, symbol) else 2
    state = charter(state, symbol, tokens=spare)
    other = other_major(state, symbol)
    if not state.companies[other].owner:
        state = opened(state, other, "Ben", operated=False)
    state = cash(state, **{symbol: 100})
    return at(state, LayTrack(other), PlaceStation(symbol), LayTrack(symbol), PlaceHome(symbol))


def lays(state: State, hex_id: str = "") -> set[tuple[str, int, str, tuple[str, ...]]]:
    """Return the lays on offer on a hex: tile, rotation, commissioner, passes."""
    found = [one for one in offered(state, LayTile) if isinstance(one, LayTile)]
    return {(o.tile, o.turn, o.private, o.passes) for o in found if hex_id in ("", o.hex)}
