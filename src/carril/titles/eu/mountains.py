"""Convention G-19: a yellow tile that was on a mountain keeps an upgrade cost."""

from __future__ import annotations

from collections.abc import Mapping

from carril.engine.actions import LayTile
from carril.engine.move import Move
from carril.engine.state import State
from carril.engine.steps.track import Lay, LayTrack, terrain_cost
from carril.engine.tables import Tables
from carril.titles.eu.common import conventions, eu, set_extra
from carril.titles.eu.figures import figures


def cost(state: State, step: LayTrack, lay: Lay) -> int:
    """Return the cost of the terrain and the upgrade cost that the piece on the hex keeps."""
    return terrain_cost(state, step, lay) + _carried(state, lay.hex)


def _carried(state: State, hex_id: str) -> int:
    """Return the upgrade cost that the piece on a hex has kept from another hex."""
    extra = eu(state)
    return extra.burdens.get(extra.pieces.get(hex_id, ""), 0)


def before_lay(move: Move, action: LayTile) -> None:
    """Take a piece from the supply; the one that it replaces returns with its cost."""
    state = move.state
    if not conventions(state).mountain_cost_stays:
        return
    pieces, burdens = _all_pieces(state), dict(eu(state).burdens)
    gone = pieces.pop(action.hex, "")
    if _keeps_cost(state, action.hex):
        burdens[gone] = burdens.get(gone, 0) + figures(state).mountain_upgrade
    named = f"{action.tile}-{action.piece}" if action.piece else ""
    pieces[action.hex] = named or _next_piece(state.tables, action.tile, pieces, burdens)
    set_extra(move, pieces=pieces, burdens=burdens)


def _keeps_cost(state: State, hex_id: str) -> bool:
    """Return whether a yellow tile is on a hex whose terrain makes its upgrade cost money."""
    number = state.board.laid.get(hex_id, ("", 0))[0]
    yellow = bool(number) and state.tables.tiles[number].colour == "yellow"
    return yellow and bool(state.tables.hexes[hex_id].upgrade_cost)


def _all_pieces(state: State) -> dict[str, str]:
    """Return the piece on every hex; in a position made by hand they have no numbers yet."""
    pieces, burdens = dict(eu(state).pieces), eu(state).burdens
    for hex_id, (number, _) in state.board.laid.items():
        if hex_id not in pieces:
            pieces[hex_id] = _next_piece(state.tables, number, pieces, burdens)
    return pieces


def _next_piece(
    tables: Tables, tile: str, pieces: Mapping[str, str], burdens: Mapping[str, int]
) -> str:
    """Return the piece of a tile that is laid next if none is named: one without a cost first."""
    laid, every = set(pieces.values()), range(tables.tiles[tile].count)
    free = (piece for number in every if (piece := f"{tile}-{number}") not in laid)
    return min(free, key=lambda piece: burdens.get(piece, 0))
