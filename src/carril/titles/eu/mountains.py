"""Convention G-19: a yellow tile that once lay on a mountain keeps its upgrade cost."""

from __future__ import annotations

from carril.engine.move import Move
from carril.engine.network import supply
from carril.engine.state import State
from carril.titles.eu.common import conventions, eu, set_extra

KEPT_COST = 60


def surcharge(state: State, hex_id: str, colour: str) -> int:
    """Return what a burdened yellow tile adds to the cost of its upgrade."""
    return eu(state).burdened.get(hex_id, 0) if colour == "green" else 0


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
        own[hex_id] = KEPT_COST
    set_extra(move, burdened=own, burdened_supply=waiting)
