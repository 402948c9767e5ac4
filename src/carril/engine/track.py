"""Which tile fits where: colour, kind, label, kept track, sides, and connection."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from carril.engine.board import Board, has_token_in, tile_at, tokens_in
from carril.engine.cache import Cache
from carril.engine.hexes import opposite
from carril.engine.tables import HexDef, Tables
from carril.engine.tile import (
    ALL_SIDES,
    JUNCTION,
    STOP,
    Tile,
    city_map,
    next_colour,
    path_sides,
    sides_for,
    sides_of,
    turned,
)


class Group(NamedTuple):
    """A meeting point of track on a new tile: a stop, a junction, or a piece by itself."""

    sides: int
    """The edges that its track reaches, as `side_bits`."""
    stop: int
    """Its stop, or -1."""
    gain: int
    """The edges that track reaches for the first time; all of them if the stop is worth more."""


class Fit(NamedTuple):
    """A tile and a rotation that fit a hex, with what decides whether it is connected."""

    tile: str
    turn: int
    colour: str
    exits: frozenset[int]
    """The edges that its track reaches."""
    sides: int
    """The same with the gauges, as `side_bits`."""
    groups: tuple[Group, ...]


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
    """Return all tiles and rotations that fit a hex now, for any company."""
    key = (id(tables.tiles), hex_id, board.laid.get(hex_id))
    return _fits.get(key, partial(_fits_on, tables, hex_id, board), owner=tables.hexes)


def _fits_on(tables: Tables, hex_id: str, board: Board) -> tuple[Fit, ...]:
    hex_def, current = tables.hexes[hex_id], tile_at(tables, board, hex_id)
    colour = next_colour(current.colour)
    result = []
    for number, tile in tables.tiles.items():
        # Colour and kind do not depend on the rotation, and rule out most tiles.
        if tile.colour != colour or not tables.replaces(hex_def, current, tile):
            continue
        for turn in range(6):
            new = turned(tile, turn)
            if not fault(tables, hex_def, current, new):
                groups = _groups(current, new)
                result.append(Fit(number, turn, colour, new.exits, sides_of(new), groups))
    return tuple(result)


def _groups(current: Tile, new: Tile) -> tuple[Group, ...]:
    meeting: dict[int, int] = {}
    for number, path in enumerate(new.paths):
        centre = max(path.a, path.b)
        point = centre if centre >= JUNCTION else -1 - number
        meeting[point] = meeting.get(point, 0) | path_sides(path)
    groups = []
    for point, sides in meeting.items():
        stop = point - STOP if point >= STOP else -1
        more = stop >= 0 and _worth_more(current, new, stop)
        groups.append(Group(sides, stop, ALL_SIDES if more else sides & ~sides_of(current)))
    return tuple(groups)


def _worth_more(current: Tile, new: Tile, stop: int) -> bool:
    target = city_map(current, new) or ()
    old = [current.stops[i].revenue for i, where in enumerate(target) if where == stop]
    return new.stops[stop].slots > 0 and any(new.stops[stop].revenue > value for value in old)


def lengthens(
    tables: Tables, board: Board, company: str, hex_id: str, fit: Fit, entries: int
) -> bool:
    """Return whether the tile gives the company new track, or a city that is worth more.

    New track lengthens some route of the company if it meets a track that arrives at the hex (at
    `entries`, as `side_bits`), or a token of the company in it, and the company's trains can use
    it.
    """
    usable = sides_for(tables.companies[company].gauge)
    gaining = [group for group in fit.groups if group.gain & usable]
    for group in gaining:
        if entries & group.sides:
            return True
    if not gaining or hex_id not in board.tokens:
        return False
    own = _own_stops(tables, board, company, hex_id, fit)
    return any(group.stop in own for group in gaining)


def joins(tables: Tables, board: Board, company: str, hex_id: str, fit: Fit, entries: int) -> bool:
    """Return whether some track of the tile is part of the company's network."""
    return bool(entries & fit.sides) or has_token_in(board, company, hex_id)


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
