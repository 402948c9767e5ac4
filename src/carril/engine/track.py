"""Which tile fits where: colour, kind, label, kept track, sides, and connection."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from carril.engine.board import Board, tile_at, tokens_in
from carril.engine.cache import Cache
from carril.engine.hexes import opposite
from carril.engine.network import reach
from carril.engine.tables import HexDef, Tables
from carril.engine.tile import JUNCTION, STOP, Tile, city_map, next_colour, turned


class Fit(NamedTuple):
    """A tile and a turn that fit a hex, with what is needed to judge the connection."""

    tile: str
    turn: int
    colour: str
    exits: frozenset[int]
    """The edges that its track reaches."""
    groups: tuple[tuple[frozenset[int], int, bool], ...]
    """For each meeting point: its edges, its stop (or -1), and whether it is new or worth more."""


def fault(tables: Tables, hex_def: HexDef, current: Tile, new: Tile) -> str:
    """Return the code of what is wrong with a turned tile on a hex, or ""."""
    if not hex_def.buildable:
        return "not-buildable"
    if new.colour != next_colour(current.colour):
        return "wrong-colour"
    if not tables.replaces(hex_def, current, new):
        return "wrong-tile"
    if city_map(current, new) is None:
        return "drops-track"
    if any(not _leads_somewhere(tables, hex_def, edge) for edge in new.exits):
        return "prohibited-side"
    return ""


def _leads_somewhere(tables: Tables, hex_def: HexDef, edge: int) -> bool:
    """Return whether track may run to this side: into the map, and where track can meet it."""
    beyond = hex_def.neighbours[edge]
    if not beyond:
        return False
    other = tables.hexes[beyond]
    return other.buildable or opposite(edge) in other.print.exits


# The same hex with the same tile comes up in every game on a map.
_fits: Cache[tuple[Fit, ...]] = Cache(4096)


def fits(tables: Tables, board: Board, hex_id: str) -> tuple[Fit, ...]:
    """Return all tiles and turns that fit what lies on a hex now, whoever lays them."""
    key = (id(tables.tiles), hex_id, board.laid.get(hex_id))
    return _fits.get(key, partial(_fits_on, tables, hex_id, board), owner=tables.hexes)


def _fits_on(tables: Tables, hex_id: str, board: Board) -> tuple[Fit, ...]:
    hex_def, current = tables.hexes[hex_id], tile_at(tables, board, hex_id)
    colour = next_colour(current.colour)
    result = []
    for number, tile in tables.tiles.items():
        # However it is turned, a tile keeps its colour and its sort: most are out at once.
        if tile.colour != colour or not tables.replaces(hex_def, current, tile):
            continue
        for turn in range(6):
            new = turned(tile, turn)
            if not fault(tables, hex_def, current, new):
                result.append(Fit(number, turn, colour, new.exits, _groups(current, new)))
    return tuple(result)


def _groups(current: Tile, new: Tile) -> tuple[tuple[frozenset[int], int, bool], ...]:
    meeting: dict[int, set[int]] = {}
    for number, path in enumerate(new.paths):
        centre = max(path.a, path.b)
        point = centre if centre >= JUNCTION else -1 - number
        meeting.setdefault(point, set()).update(e for e in (path.a, path.b) if e < JUNCTION)
    groups = []
    for point, edges in meeting.items():
        stop = point - STOP if point >= STOP else -1
        fresh = bool(edges - current.exits) or (stop >= 0 and _worth_more(current, new, stop))
        groups.append((frozenset(edges), stop, fresh))
    return tuple(groups)


def _worth_more(current: Tile, new: Tile, stop: int) -> bool:
    target = city_map(current, new) or ()
    old = [current.stops[i].revenue for i, where in enumerate(target) if where == stop]
    return new.stops[stop].slots > 0 and any(new.stops[stop].revenue > value for value in old)


def connected(tables: Tables, board: Board, company: str, hex_id: str, fit: Fit) -> bool:
    """Return whether the tile gives the company new track, or a city that is worth more.

    New track lengthens some route of the company if it meets a track that arrives at the hex,
    or a token of the company in it.
    """
    entries = reach(tables, board, company).entries.get(hex_id, frozenset())
    own = _own_stops(tables, board, company, hex_id, fit)
    return any(
        fresh and (not entries.isdisjoint(edges) or stop in own)
        for edges, stop, fresh in fit.groups
    )


def _own_stops(tables: Tables, board: Board, company: str, hex_id: str, fit: Fit) -> frozenset[int]:
    circles = board.tokens.get(hex_id)
    if not circles:
        return frozenset()
    new = turned(tables.tiles[fit.tile], fit.turn)
    target = city_map(tile_at(tables, board, hex_id), new) or ()
    return frozenset(
        target[city] for city in range(len(circles)) if company in tokens_in(board, hex_id, city)
    )


def lay_cost(hex_def: HexDef, current: Tile, colour: str) -> int:
    """Return what the terrain costs: for the first tile, and for some upgrades."""
    if current.colour == "white":
        return hex_def.cost
    return hex_def.upgrade_cost.get(colour, 0)
