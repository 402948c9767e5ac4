"""Home stations on hexes with two cities: they wait there for the first tile."""

from __future__ import annotations

from carril.engine.board import remove_token
from carril.engine.move import Move
from carril.engine.state import State
from carril.engine.steps.home import PlaceHome


def is_oo(state: State, hex_id: str) -> bool:
    """Return whether a hex has two cities until its tile joins them."""
    return state.tables.hexes[hex_id].print.label == "OO"


def after_lay(move: Move, hex_id: str, replaced: str) -> None:
    """Ask for the city of home tokens that waited for the first tile of an OO hex."""
    if replaced or not is_oo(move.state, hex_id):
        return
    layer = move.state.step.subject
    for city, owners in enumerate(move.state.board.tokens.get(hex_id, ())):
        for company in owners:
            remove_token(move, company, hex_id, city)
            move.push(PlaceHome(company, hex_id, layer))
