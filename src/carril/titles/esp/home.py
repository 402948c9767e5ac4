"""Home stations on hexes with two cities: they wait there for the first tile."""

from __future__ import annotations

from carril.engine.board import remove_token
from carril.engine.move import Move
from carril.engine.state import State
from carril.engine.steps.home import PlaceHome, home_of
from carril.engine.steps.station import station_cost
from carril.titles.esp.common import conventions


def is_oo(state: State, hex_id: str) -> bool:
    """Return whether a hex has two cities until its tile joins them."""
    return state.tables.hexes[hex_id].print.label == "OO"


def after_lay(move: Move, hex_id: str, replaced: str) -> None:
    """Ask for the city of tokens that waited for the first tile of an OO hex, in order (G56)."""
    if replaced or not is_oo(move.state, hex_id):
        return
    layer = move.state.step.subject
    circles = enumerate(move.state.board.tokens.get(hex_id, ()))
    waiting = [(company, city) for city, owners in circles for company in owners]
    for company, city in waiting:
        remove_token(move, company, hex_id, city)
    for company, _ in reversed(waiting):
        cost = _cost(move.state, company, hex_id)
        move.push(PlaceHome(company, hex_id, layer, cost))


def _cost(state: State, company: str, hex_id: str) -> int:
    """Return what a token pays for its city: nothing, unless it replaced a minor's (G57)."""
    if home_of(state, company).hex == hex_id or not conventions(state).replaced_token_costs:
        return 0
    return station_cost(state, company)
