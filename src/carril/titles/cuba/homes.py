"""Home stations of 18Cuba: the homes that are chosen, and the slots that are kept for others."""

from __future__ import annotations

from carril.engine.board import has_token_in, open_circles, tile_at, tokens_in
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.home import HomeRules, home_city
from carril.engine.steps.station import StationRules
from carril.titles.cuba.common import MINOR, kind


def kept(state: State, company: str, hex_id: str, city: int) -> bool:
    """Return whether the last slot of a city is kept for a major that has not operated."""
    return open_circles(state.tables, state.board, hex_id, city) <= 1 and any(
        symbol != company and _waits(state, symbol, hex_id, city) for symbol in state.companies
    )


def _waits(state: State, symbol: str, hex_id: str, city: int) -> bool:
    """Return whether a company has its printed home in a city and has not begun."""
    charter, home = state.companies[symbol], state.tables.companies[symbol].home
    if home is None or home.hex != hex_id or charter.operated or charter.closed:
        return False
    begun = has_token_in(state.board, symbol, hex_id)
    return not begun and home_city(state, home) == city


def _choice(state: State, company: str, hex_id: str, city: int) -> Refusal | None:
    """Check the home that a company without a printed one chooses (CUBA-VII.3.2)."""
    minor = kind(state, company) == MINOR
    return (_mill if minor else _terminus)(state, company, hex_id, city)


def _mill(state: State, company: str, hex_id: str, city: int) -> Refusal | None:
    """Check the home of a minor (CUBA-VII.3.2-b, -c)."""
    if state.tables.hexes[hex_id].print.label:
        return refuse(state, "no-mill-there", hex=hex_id, company=company)
    present = tokens_in(state.board, hex_id, city)
    if any(kind(state, symbol) == MINOR for symbol in present):
        return refuse(state, "mill-taken", hex=hex_id)
    return None


def _terminus(state: State, company: str, hex_id: str, city: int) -> Refusal | None:
    """Check the home of a major: an open slot, or an extra one where none is open at all."""
    why = _slot_refusal(state, company, hex_id, city)
    if why is None or why.code == "slot-kept":
        return why
    return why if _any_open(state, company) else None


def _slot_refusal(state: State, company: str, hex_id: str, city: int) -> Refusal | None:
    """Check that a slot is open to a company (CUBA-VII.3.2-e, -f)."""
    if open_circles(state.tables, state.board, hex_id, city) < 1:
        return refuse(state, "no-open-slot", city=f"{hex_id}.{city}")
    if kept(state, company, hex_id, city):
        return refuse(state, "slot-kept", city=f"{hex_id}.{city}")
    return None


def _any_open(state: State, company: str) -> bool:
    """Return whether any slot of the map is open to a company."""
    tables, board = state.tables, state.board
    return any(
        _slot_refusal(state, company, hex_id, city) is None
        for hex_id in tables.hexes
        for city in tile_at(tables, board, hex_id).cities
    )


HOME = HomeRules(choice=_choice)
STATION = StationRules(reserved=kept)
