"""Home circles: which are kept for companies that have not yet begun."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.board import has_token_in, open_circles, tile_at
from carril.engine.state import State
from carril.engine.tile import COLOURS
from carril.titles.esp.common import OO_HEXES, edition, esp, home_of


def waiting(state: State, hex_id: str) -> Iterator[str]:
    """Yield the companies in play whose home is this hex and who have not placed their token.

    A frozen minor keeps its circle until it is taken over (ESP-4.6.1-h).
    """
    for symbol in esp(state).in_play:
        company = state.companies[symbol]
        if company.closed or company.operated:
            continue
        if home_of(state, symbol).hex == hex_id and not has_token_in(state.board, symbol, hex_id):
            yield symbol


def kept(state: State, company: str, hex_id: str, city: int) -> bool:
    """Return whether a circle must be left for a company that has not yet begun.

    MZ and MZA share one circle in Madrid (ESP-4.3-t).
    """
    others = [symbol for symbol in waiting(state, hex_id) if symbol != company]
    if not others:
        return False
    tables, board = state.tables, state.board
    tile = tile_at(tables, board, hex_id)
    if hex_id in OO_HEXES:
        if COLOURS.index(tile.colour) < COLOURS.index(edition(state).station_on_oo_from):
            return True
        return open_circles(tables, board, hex_id, city) <= len(others)
    if len(tile.cities) > 1:
        others = [symbol for symbol in others if home_of(state, symbol).city == city]
    places = {"MZA" if symbol == "MZ" else symbol for symbol in others}
    if has_token_in(board, "MZ", hex_id) or has_token_in(board, "MZA", hex_id):
        places.discard("MZA")
    return bool(places) and open_circles(tables, board, hex_id, city) <= len(places)
