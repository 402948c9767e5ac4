"""Convention G-19: a yellow tile that once lay on a mountain keeps its upgrade cost."""

from __future__ import annotations

from carril.engine.move import Move
from carril.engine.network import supply
from carril.engine.state import State
from carril.engine.steps.track import Lay, LayTrack, terrain_cost
from carril.titles.eu.common import conventions, eu, set_extra
from carril.titles.eu.figures import figures


def cost(state: State, step: LayTrack, lay: Lay) -> int:
    """Return what the terrain costs, with what a burdened yellow tile adds to its upgrade."""
    burden = eu(state).burdened.get(lay.hex, 0) if lay.colour == "green" else 0
    return terrain_cost(state, step, lay) + burden


def after_lay(move: Move, hex_id: str, replaced: str) -> None:
    """Keep track of which pieces carry a cost; those without one are laid first."""
    if not conventions(move.state).mountain_cost_stays:
        return
    tables = move.state.tables
    own, waiting = dict(eu(move.state).burdened), dict(eu(move.state).burdened_supply)
    number, _ = move.state.board.laid[hex_id]
    if replaced and (own.pop(hex_id, 0) or tables.hexes[hex_id].upgrade_cost):
        if tables.tiles[replaced].colour == "yellow":
            waiting[replaced] = waiting.get(replaced, 0) + 1
    elif waiting.get(number, 0) > supply(tables, move.state.board)[number]:
        waiting[number] -= 1
        own[hex_id] = figures(move.state).mountain_upgrade
    set_extra(move, burdened=own, burdened_supply=waiting)
