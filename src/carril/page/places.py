"""Names of places for players: the id of a hex and the name of its city."""

from __future__ import annotations

from carril.engine.board import tile_at
from carril.engine.state import State


def hex_name(state: State, hex_id: str) -> str:
    """Return a hex id with the name of its place, if it has one."""
    found = state.tables.hexes.get(hex_id)
    return f"{hex_id} {found.name}" if found and found.name else hex_id


def stop_name(state: State, hex_id: str, stop: int) -> str:
    """Return the name of a stop, with a number if its hex has several."""
    stops = len(tile_at(state.tables, state.board, hex_id).stops)
    name = hex_name(state, hex_id)
    return f"{name} ({stop + 1})" if stops > 1 else name


def key_name(state: State, key: str) -> str:
    """Return the name of the stop with a key such as "A10.0"."""
    hex_id, _, stop = key.partition(".")
    return stop_name(state, hex_id, int(stop or 0))
