"""The pictures of a table, kept for a while: many look at the same position."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

import msgspec

from carril.draw import draw_map, draw_market
from carril.engine.market import grid
from carril.engine.state import State
from carril.engine.trains import phase_def


class Kept:
    """A few texts by key; the one that was not asked for longest goes first."""

    def __init__(self, most: int) -> None:
        """Keep so many at most."""
        self._most = most
        self._texts: OrderedDict[Any, str] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Any, make: Callable[[], str]) -> str:
        """Return the text of a key, made if it is not there."""
        with self._lock:
            if key in self._texts:
                self._texts.move_to_end(key)
                return self._texts[key]
        text = make()
        with self._lock:
            self._texts[key] = text
            if len(self._texts) > self._most:
                self._texts.popitem(last=False)
        return text


_maps, _markets = Kept(128), Kept(128)


def map_picture(state: State, lit: Mapping[str, str], routes: tuple[Any, ...]) -> str:
    """Return the map with hexes pointed out and runs drawn; every hex is a button."""
    colour = phase_def(state).colour
    board = msgspec.msgpack.encode(state.board)
    present = frozenset(c.symbol for c in state.companies.values() if not c.closed)
    key = (state.setup.title, board, colour, routes, tuple(lit.items()), present)
    return _maps.get(
        key,
        lambda: draw_map(
            state.title.tables,
            state.board,
            phase_colour=colour,
            routes=routes,
            highlight=list(lit),
            notes=lit,
            embedded=True,
            present=present,
        ),
    )


def market_picture(state: State) -> str:
    """Return the market with its markers."""
    rows = grid(state).rows
    key = (state.setup.title, state.markers, rows)
    return _markets.get(
        key,
        lambda: draw_market(state.title.tables, state.markers, rows=rows, embedded=True),
    )
