"""The pictures of a table, kept for a while: many look at the same position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from carril.draw import draw_map, draw_market
from carril.engine.cache import Cache
from carril.engine.market import grid
from carril.engine.state import State
from carril.engine.trains import phase_def

_maps: Cache[str] = Cache(128)
_markets: Cache[str] = Cache(128)


def _setup(state: State) -> tuple[str, int, tuple[str, ...]]:
    """Return what decides which map and which companies there are."""
    return state.setup.title, len(state.players), state.setup.variants


def map_picture(state: State, lit: Mapping[str, str], routes: tuple[Any, ...]) -> str:
    """Return the map with hexes pointed out and runs drawn; every hex is a button."""
    colour = phase_def(state).colour
    board = msgspec.msgpack.encode(state.board)
    present = frozenset(c.symbol for c in state.companies.values() if not c.closed)
    pieces = state.title.answers.map_pieces(state)
    shown = msgspec.msgpack.encode(pieces)
    key = (*_setup(state), board, colour, routes, tuple(lit.items()), present, shown)
    return _maps.get(
        key,
        lambda: draw_map(
            state.tables,
            state.board,
            phase_colour=colour,
            routes=routes,
            highlight=list(lit),
            notes=lit,
            embedded=True,
            present=present,
            pieces=pieces,
        ),
    )


def market_picture(state: State) -> str:
    """Return the market with its markers."""
    rows = grid(state).rows
    key = (*_setup(state), state.markers, rows)
    return _markets.get(
        key,
        lambda: draw_market(state.tables, state.markers, rows=rows, embedded=True),
    )
