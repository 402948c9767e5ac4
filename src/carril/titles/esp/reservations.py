"""Stations of 18ESP: circles reserved for companies that have no station yet, and who is paid."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.board import (
    circles_taken,
    has_token_in,
    open_circles,
    tile_at,
    tokens_in,
    tokens_of,
)
from carril.engine.state import BANK, State
from carril.engine.steps.home import home_of
from carril.engine.steps.station import StationRules
from carril.engine.tile import COLOURS
from carril.titles.esp.common import conventions, edition, esp
from carril.titles.esp.home import is_oo


def waiting(state: State, hex_id: str) -> Iterator[str]:
    """Yield the companies in play whose home is this hex and who have not placed their token.

    A frozen minor keeps its circle until it is taken over (ESP-4.6.1-h).
    """
    for symbol in esp(state).in_play:
        company = state.companies[symbol]
        if company.closed or company.operated or _released(state, symbol):
            continue
        if home_of(state, symbol).hex == hex_id and not has_token_in(state.board, symbol, hex_id):
            yield symbol


def _released(state: State, symbol: str) -> bool:
    """Return whether the company that shares a circle with this one has begun there (G42)."""
    if not conventions(state).madrid_released:
        return False
    for first, second in state.tables.figures.one_circle:
        begun = state.companies[first].operated or any(tokens_of(state.board, first))
        if symbol == second and begun:
            return True
    return False


def kept(state: State, company: str, hex_id: str, city: int) -> bool:
    """Return whether the free circles of a city must be left for companies that have not yet begun.

    Companies that share a circle need only one (ESP-4.3-t).
    """
    others = [symbol for symbol in waiting(state, hex_id) if symbol != company]
    if not others:
        return False
    tables, board = state.tables, state.board
    tile = tile_at(tables, board, hex_id)
    if is_oo(state, hex_id):
        if COLOURS.index(tile.colour) < COLOURS.index(edition(state).station_on_oo_from):
            return True
        return open_circles(tables, board, hex_id, city) <= len(others)
    if len(tile.cities) > 1:
        others = [symbol for symbol in others if home_of(state, symbol).city == city]
    present = tokens_in(board, hex_id, city)
    needed = circles_taken(tables, (*present, *others)) - circles_taken(tables, present)
    return open_circles(tables, board, hex_id, city) <= needed


def _payee(state: State, hex_id: str, city: int) -> str:
    """Return who is paid: the bank, or in a pass the company with the first station there."""
    present = tokens_in(state.board, hex_id, city)
    in_pass = state.tables.hexes[hex_id].region == "pass"
    return present[0] if in_pass and present else BANK


STATION = StationRules(
    one_per_hex=lambda state: edition(state).one_station_per_hex,
    reserved=kept,
    payee=_payee,
)
